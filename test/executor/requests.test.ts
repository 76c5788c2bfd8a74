import type { INodeParameters } from 'n8n-workflow';
import {
	addCustomer,
	credentialFor,
	execute,
	getGateway,
	json,
	RECORDED_TOKEN,
	type Recorder,
	setPremium,
	startService,
} from '../support/executor';

let service: Recorder;

beforeEach(async () => {
	service = await startService((request, response) => {
		if (request.method === 'PUT') response.writeHead(204).end();
		else json(response, 200, { id: '1' });
	});
});

/** Runs the node and returns the one request that arrived. A token that stands in the stored credential is not sent. */
async function arrives(
	parameters: INodeParameters,
	credential = credentialFor(service.url, { accessToken: 'stored-token' }),
) {
	const { error } = await execute({ parameters, credential });
	expect(error).toBeUndefined();
	expect(service.requests).toHaveLength(1);
	return service.requests[0]!;
}

const PREMIUM = 'PUT /v1/voip/dss/trunk/country/setpremium';
const ADD = 'POST /v1/customers/add';
const EVERY_FIELD = { organizationId: 10, premiumAvailable: 'yes', sbcId: 3 };
const ODD_FIELDS = '{ "name": "Acme", "pIva": "12345678903", "__proto__": { "x": 1 }, "n": [1, { "a": null }] }';

test.each<[string, INodeParameters, string, string]>([
	['the fields that were given', setPremium(1001, 'it'), PREMIUM, '{"idTrunk":1001,"iso":"IT"}'],
	[
		'every optional field, by its API name',
		setPremium(1001, 'FR', { additionalFields: EVERY_FIELD }),
		PREMIUM,
		'{"idTrunk":1001,"iso":"FR","organizationId":10,"premium_available":"yes","sbcId":3}',
	],
	['a path with an organization', getGateway(' 12\n', { organizationId: '\t10 ' }), 'GET /v1/voip/dss/gtw/12/10', ''],
	['the VAT number', addCustomer('IT12345678903'), ADD, '{"vatNumber":"IT12345678903"}'],
	[
		'an alias under its canonical name, and other fields unchanged',
		addCustomer('', { otherFields: ODD_FIELDS }),
		ADD,
		'{"vatNumber":"12345678903","name":"Acme","__proto__":{"x":1},"n":[1,{"a":null}]}',
	],
])('a request has %s', async (_name, parameters, line, body) => {
	const request = await arrives(parameters);
	expect([`${request.method} ${request.target}`, request.body]).toEqual([line, body]);
	expect(request.headers.authorization).toBe(`Bearer ${RECORDED_TOKEN}`);
	expect(request.headers['content-type']).toBe(body === '' ? undefined : 'application/json');
	expect(({} as { x?: unknown }).x).toBeUndefined();
});

test.each<[string, object, object]>([
	[
		'names and values',
		{ otherFieldsList: { fields: [{ name: ' a ', value: 'b' }, { name: 'c', value: '' }, {}] } },
		{ a: 'b' },
	],
	['no JSON that stands there from before', { otherFields: '{ "name": "Acme" }', otherFieldsList: {} }, {}],
	[
		'no names and values that stand there from before',
		{
			specifyOtherFields: 'json',
			otherFields: '{ "name": "Acme" }',
			otherFieldsList: { fields: [{ name: 'city', value: 'Milano' }] },
		},
		{ name: 'Acme' },
	],
])('Other Fields of a customer takes %s', async (_, parameters, sent) => {
	const request = await arrives(addCustomer('IT12345678903', { specifyOtherFields: 'keypair', ...parameters }));
	expect(JSON.parse(request.body)).toEqual({ vatNumber: 'IT12345678903', ...sent });
});

test('a login is a POST with the key as a form', async () => {
	const credential = credentialFor(service.url, { clientId: 'a b&c', clientSecret: 'k=1+2/ü' });
	await arrives(getGateway('1'), credential);
	expect(service.logins).toMatchObject([
		{
			method: 'POST',
			target: '/auth/api-key/login',
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
			body: 'clientId=a+b%26c&clientSecret=k%3D1%2B2%2F%C3%BC',
		},
	]);
	expect(service.logins[0]?.headers.authorization).toBeUndefined();
});
