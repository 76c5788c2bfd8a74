import type { INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { addCustomer, getGateway, setPremium } from '../support/operations';
import { json, RECORDED_TOKEN, Recorder } from '../support/recorder';

let service: Recorder;

beforeEach(async () => {
	service = await Recorder.start((request, response) => {
		if (request.method === 'PUT') response.writeHead(204).end();
		else json(response, 200, { ok: true });
	});
});

afterEach(async () => {
	await service.close();
});

/** Runs the node and returns the one request that arrived. */
async function arrives(parameters: INodeParameters, credential = credentialFor(service.url)) {
	const { error } = await execute({ parameters, credential });
	expect(error).toBeUndefined();
	expect(service.requests).toHaveLength(1);
	return service.requests[0]!;
}

describe('requests', () => {
	test('login: a POST with the key as a form', async () => {
		await execute({
			parameters: getGateway('1'),
			credential: credentialFor(service.url, { clientId: 'a b&c', clientSecret: 'k=1+2/ü' }),
		});
		expect(service.logins).toHaveLength(1);
		const login = service.logins[0]!;
		expect([login.method, login.target]).toEqual(['POST', '/auth/api-key/login']);
		expect(login.headers['content-type']).toBe('application/x-www-form-urlencoded');
		expect(login.body).toBe('clientId=a+b%26c&clientSecret=k%3D1%2B2%2F%C3%BC');
		expect(login.headers.authorization).toBeUndefined();
	});

	test('set premium: a PUT with a JSON body of only the fields that were given', async () => {
		const request = await arrives(setPremium(1001, 'it'));
		expect([request.method, request.target]).toEqual([
			'PUT',
			'/v1/voip/dss/trunk/country/setpremium',
		]);
		expect(request.headers['content-type']).toBe('application/json');
		expect(request.headers.authorization).toBe(`Bearer ${RECORDED_TOKEN}`);
		expect(request.body).toBe('{"idTrunk":1001,"iso":"IT"}');
	});

	test('set premium: every optional field, by its API name', async () => {
		const request = await arrives(
			setPremium(1001, 'FR', {
				additionalFields: { organizationId: 10, premiumAvailable: 'yes', sbcId: 3 },
			}),
		);
		expect(JSON.parse(request.body)).toEqual({
			idTrunk: 1001,
			iso: 'FR',
			organizationId: 10,
			premium_available: 'yes',
			sbcId: 3,
		});
	});

	test('set premium: empty optional fields are not sent', async () => {
		const request = await arrives(
			setPremium('1001', ' fr ', {
				additionalFields: { organizationId: '', premiumAvailable: '', sbcId: null as never },
			}),
		);
		expect(request.body).toBe('{"idTrunk":1001,"iso":"FR"}');
	});

	test('get gateway: a GET without a body', async () => {
		const request = await arrives(getGateway('12'));
		expect([request.method, request.target]).toEqual(['GET', '/v1/voip/dss/gtw/12']);
		expect(request.body).toBe('');
		expect(request.headers['content-type']).toBeUndefined();
	});

	test('get gateway: the path with an organization', async () => {
		const request = await arrives(getGateway('12', { organizationId: '10' }));
		expect(request.target).toBe('/v1/voip/dss/gtw/12/10');
	});

	test('add customer: a POST with the VAT number under its canonical name', async () => {
		const request = await arrives(addCustomer('IT12345678903'));
		expect([request.method, request.target]).toEqual(['POST', '/v1/customers/add']);
		expect(request.headers['content-type']).toBe('application/json');
		expect(request.body).toBe('{"vatNumber":"IT12345678903"}');
	});

	test.each(['pIva', 'piva', 'vatNumber'])(
		'add customer: %s in Other Fields becomes vatNumber, and the rest is merged unchanged',
		async (field) => {
			const request = await arrives(
				addCustomer('', {
					otherFields: `{ "name": "Acme", "${field}": "12345678903", "__proto__": { "x": 1 }, "n": [1, { "a": null }] }`,
				}),
			);
			expect(request.body).toBe(
				'{"vatNumber":"12345678903","name":"Acme","__proto__":{"x":1},"n":[1,{"a":null}]}',
			);
		},
	);

	test.each<[string, object, object]>([
		['names and values, those without a value left out', { specifyOtherFields: 'keypair', otherFieldsList: { fields: [{ name: ' city ', value: 'Milano' }, { name: 'zip', value: '' }, {}] } }, { city: 'Milano' }],
		['values of expressions', { specifyOtherFields: 'keypair', otherFieldsList: { fields: [{ name: 'employees', value: '={{ 12 }}' }, { name: '={{ "pIva" }}', value: 'IT12345678903' }] } }, { employees: 12 }],
		['no JSON that stands there from before', { specifyOtherFields: 'keypair', otherFields: '{ "name": "Acme" }', otherFieldsList: {} }, {}],
		['no names and values that stand there from before', { specifyOtherFields: 'json', otherFields: '{ "name": "Acme" }', otherFieldsList: { fields: [{ name: 'city', value: 'Milano' }] } }, { name: 'Acme' }],
	])('add customer: Other Fields takes %s', async (_, parameters, sent) => {
		const request = await arrives(addCustomer('IT12345678903', parameters as never));
		expect(JSON.parse(request.body)).toEqual({ vatNumber: 'IT12345678903', ...sent });
	});

	test('the header and its prefix are those of the credential', async () => {
		const request = await arrives(
			getGateway('1'),
			credentialFor(service.url, { authHeaderName: 'X-Api-Token', authHeaderPrefix: '' }),
		);
		expect(request.headers['x-api-token']).toBe(RECORDED_TOKEN);
		expect(request.headers.authorization).toBeUndefined();
	});

	test('staging uses the staging base URL, with or without a trailing slash', async () => {
		const request = await arrives(
			getGateway('1'),
			credentialFor('https://production.invalid', {
				environment: 'staging',
				stagingUrl: `${service.url}/`,
			}),
		);
		expect(request.target).toBe('/v1/voip/dss/gtw/1');
	});

	test('a base URL may have a path', async () => {
		await service.close();
		service = await Recorder.start(
			(_request, response) => json(response, 200, { access_token: RECORDED_TOKEN }),
		);
		await execute({ parameters: getGateway('1'), credential: credentialFor(`${service.url}/api/`) });
		expect(service.requests.map(({ target }) => target)).toEqual([
			'/api/auth/api-key/login',
			'/api/v1/voip/dss/gtw/1',
		]);
	});

	test('login: a client ID that is a number is sent as text', async () => {
		await execute({ parameters: getGateway('1'), credential: credentialFor(service.url, { clientId: 12345 as never }) });
		expect(service.logins[0]?.body).toContain('clientId=12345&');
	});
});
