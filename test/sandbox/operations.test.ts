import {
	BROKEN_TRUNK_ID,
	createRecords,
	DEMO_CLIENT,
	READ_ONLY_CLIENT,
	type Sandbox,
	startSandbox,
} from '../../sandbox';
import { DocumentedClient, openApiDocument, type Response, sandboxOfFile } from './documentedClient';

/** Long enough for a test, and with a fraction. */
const TOKEN_SECONDS = 3600.5;

let sandbox: Sandbox;
let client: DocumentedClient;
sandboxOfFile((...own) => ([sandbox, client] = own), { tokenTtlSeconds: TOKEN_SECONDS });

const premiumCountriesOf = (trunkId: number) =>
	sandbox.getRecordsAndCounters().trunks.find(({ id }) => id === trunkId)?.premiumCountries;
/** That every field which is wrong has an entry. */
const expectInvalid = async (sent: Promise<Response>, ...errors: Array<{ field: string; message: unknown }>) => {
	const { status, data } = await sent;
	expect([status, data]).toEqual([400, { status: 'Bad Request', message: 'The request is not valid', errors }]);
};

describe('set premium', () => {
	it('makes the country premium for the trunk and has nothing to say', async () => {
		const { status, data, headers } = await client.setPremium({ idTrunk: 1001, iso: 'IT' });
		expect([status, data]).toEqual([204, '']);
		for (const header of ['content-length', 'content-type']) expect(headers).not.toHaveProperty(header);
		expect([premiumCountriesOf(1001), premiumCountriesOf(1002)]).toEqual([[{ iso: 'IT' }], []]);
	});

	it('keeps the last request for a country, with every field, in upper case', async () => {
		const everyField = { organizationId: 10, sbcId: 2, premium_available: 'yes' };
		await client.setPremium({ idTrunk: 1001, iso: 'IT', sbcId: 1 });
		await client.setPremium({ idTrunk: 1001, iso: '380' });
		await client.setPremium({ idTrunk: 1001, iso: 'it', ...everyField });
		expect(premiumCountriesOf(1001)).toEqual([{ iso: 'IT', ...everyField }, { iso: '380' }]);
	});

	it.each(['I', 'ITAL', '12', '1234', 'I1', '', ' IT', 'İT'])('rejects the country code "%s"', async (iso) => {
		const message = 'must be a country code: two or three letters, or three digits';
		await expectInvalid(client.setPremium({ idTrunk: 1001, iso }), { field: 'iso', message });
		expect(premiumCountriesOf(1001)).toEqual([]);
	});

	it.each([
		[
			'fields that are missing or of the wrong type',
			{ idTrunk: 1001, sbcId: '1', organizationId: null },
			[
				{ field: 'iso', message: 'is required' },
				{ field: 'organizationId', message: 'must be integer' },
				{ field: 'sbcId', message: 'must be integer' },
			],
		],
		['no body', undefined, [{ field: 'body', message: 'is required' }]],
		['what is not JSON', '{"idTrunk": 1001,', [{ field: 'body', message: expect.stringMatching(/^is not JSON: /) }]],
	])('answers %s with one entry for each field that is wrong', async (_, body, errors) => {
		await expectInvalid(client.setPremium(body), ...errors);
	});

	it('does not find a trunk that is not there, and fails on the broken one', async () => {
		const notFound = { status: 404, data: { errors: 'No trunk has the id 9999' } };
		expect(await client.setPremium({ idTrunk: 9999, iso: 'IT' })).toMatchObject(notFound);
		const errors = { trunk: BROKEN_TRUNK_ID, reason: 'This trunk is broken on purpose' };
		expect(await client.setPremium({ idTrunk: BROKEN_TRUNK_ID, iso: 'IT' })).toMatchObject({
			status: 500,
			data: { errors },
		});
		expect(premiumCountriesOf(BROKEN_TRUNK_ID)).toEqual([]);
	});
});

describe('get gateway', () => {
	it('gives each gateway with and without its organization, and decodes the id', async () => {
		for (const gateway of createRecords().gateways) {
			expect((await client.gateway(gateway.id)).data).toEqual(gateway);
			expect((await client.gateway(`${gateway.id}/${gateway.organizationId}`)).data).toEqual(gateway);
		}
		expect((await client.gateway('%31')).data.id).toBe('1');
	});

	it.each([
		['999', 'No gateway has the id 999'],
		['a%2Fb', 'No gateway has the id a/b'],
		['1/20', 'Gateway 1 does not belong to organization 20'],
	])('does not find %s', async (path, errors) => {
		const { status, data } = await client.gateway(path);
		expect([status, data]).toEqual([
			404,
			{ status: 'Not Found', message: 'The requested DSS resource is not found', errors },
		]);
	});

	it('rejects a path that cannot be decoded, and a query, which a badly encoded id would become', async () => {
		await expectInvalid(client.gateway('%zz'), {
			field: 'path',
			message: expect.stringContaining('/v1/voip/dss/gtw/%zz'),
		});
		await expectInvalid(client.gateway('1?x=2'), { field: 'x', message: 'is not known' });
		await expectInvalid(client.gateway('1?x=?&x=2'), { field: 'x', message: 'is not known' });
	});
});

describe('add customer', () => {
	it('gives the record back with an id and the moment of its creation', async () => {
		const customer = { vatNumber: 'IT12345678903', companyName: 'Rossi', address: { city: 'Milano' } };
		const { status, data } = await client.addCustomer({ ...customer, id: 77, createdAt: 'long ago' });
		expect([status, data]).toEqual([201, { ...customer, id: 1, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) }]);
		expect(sandbox.getRecordsAndCounters().customers).toEqual([data]);
	});

	it.each([{ pIva: '1' }, { piva: '1' }, { vatNumber: '1', pIva: '1', piva: '1' }])(
		'takes the VAT number of %j',
		async (body) => {
			const { status, data } = await client.addCustomer(body);
			expect([status, data]).toEqual([201, { id: 1, vatNumber: '1', createdAt: expect.any(String) }]);
		},
	);

	it('shows the contradiction of two names with different values, and creates nothing', async () => {
		const [message, errors] = ['vatNumber and its aliases have different values', { vatNumber: '1', piva: '2' }];
		expect(await client.addCustomer(errors)).toMatchObject({
			status: 400,
			data: { status: 'Bad Request', message, errors },
		});
		expect(sandbox.getRecordsAndCounters().customers).toEqual([]);
	});
});

it.each([
	['GET', '/no-such-path/customers/add', 404],
	['DELETE', '/v1/voip/dss/gtw/1', 405],
	['GET', '/v1/voip/dss/gtw/1/10/2', 404],
])('%s %s, which is not in the document, gives %i with the error body', async (method, path, status) => {
	expect(await client.call(method, path)).toMatchObject({ status, data: { errors: `There is no ${method} ${path}` } });
});

describe('a token', () => {
	it.each([
		['is not sent', {}, 'There is no access token'],
		['was never issued', { Authorization: 'Bearer nonsense' }, 'The access token is not known'],
		['is missing after its scheme', { Authorization: 'Bearer' }, 'There is no access token'],
	])('is rejected if it %s', async (_, headers, message) => {
		const reply = await client.gateway('1', { token: null, headers });
		expect(reply).toMatchObject({ status: 401, data: { message }, headers: { 'www-authenticate': 'Bearer' } });
	});

	it('is rejected if its claims were changed, and if it is of another sandbox', async () => {
		const [head, , signature] = (await client.tokenOf(READ_ONLY_CLIENT)).split('.');
		const claims = Buffer.from(JSON.stringify({ permissions: ['read', 'write'], exp: 9_999_999_999 })).toString(
			'base64url',
		);
		expect((await client.addCustomer({ vatNumber: '1' }, { token: `${head}.${claims}.${signature}` })).status).toBe(
			401,
		);
		const other = await startSandbox();
		const token = await new DocumentedClient(other).tokenOf(DEMO_CLIENT);
		expect((await client.gateway('1', { token })).data.message).toBe('The access token is not known');
		const { exp, iat } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
		expect(Math.floor(exp - iat)).toBe(3600);
		await other.close();
	});

	it('ends with its lifetime, to the fraction of a second', async () => {
		const now = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
		const token = await client.tokenOf(DEMO_CLIENT);
		clock.mockReturnValue(now + TOKEN_SECONDS * 1000 - 1);
		expect((await client.gateway('1', { token })).status).toBe(200);
		clock.mockReturnValue(now + TOKEN_SECONDS * 1000);
		expect(await client.gateway('1', { token })).toMatchObject({
			status: 401,
			data: { message: 'The access token has expired' },
		});
	});
});

it('a request without the permission to write is rejected whatever its body is, and changes nothing', async () => {
	const reader = await client.tokenOf(READ_ONLY_CLIENT);
	expect((await client.gateway('1', { token: reader })).status).toBe(200);
	const forbidden = {
		status: 403,
		data: { status: 'Forbidden', errors: 'Client demo-reader does not have the permission: write' },
	};
	for (const body of ['{', { idTrunk: 'x', vatNumber: 1 }, { idTrunk: 1001, iso: 'IT', vatNumber: '1' }]) {
		for (const [token, rejection] of [
			[null, { status: 401 }],
			[reader, forbidden],
		] as const) {
			expect(await client.setPremium(body, { token })).toMatchObject(rejection);
			expect(await client.addCustomer(body, { token })).toMatchObject(rejection);
		}
	}
	const { customers, trunks } = sandbox.getRecordsAndCounters();
	expect([customers, trunks[0]?.premiumCountries]).toEqual([[], []]);
});

/**
 * The statuses of the provider's own documentation. Of an operation that is not listed it is the success, if any; all
 * others are the sandbox's choice.
 */
const shownByTheProvider: Record<string, string[]> = {
	login: ['200'],
	setPremium: ['204', '400', '403', '404', '500'],
	getGateway: ['200'],
	getGatewayOfOrganization: ['200'],
	addCustomer: [],
};

it('marks every status that the provider does not show, and none that it does', async () => {
	for (const { operationId = '', responses = {} } of (await openApiDocument()).getOperations()) {
		const unmarked = Object.entries(responses)
			.filter(([, response]) => !('x-not-in-spec' in response))
			.map(([status]) => status);
		const shown = shownByTheProvider[operationId] ?? unmarked.filter((status) => status.startsWith('2'));
		expect([operationId, unmarked]).toEqual([operationId, shown]);
	}
});
