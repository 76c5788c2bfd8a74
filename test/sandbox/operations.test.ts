import { BROKEN_TRUNK_ID, createSeed, DEMO_CLIENT, startSandbox } from '../../sandbox';
import type { Sandbox } from '../../sandbox';
import { DocumentedClient } from './documentedClient';

let sandbox: Sandbox;
let client: DocumentedClient;

beforeAll(async () => {
	sandbox = await startSandbox();
	client = new DocumentedClient(sandbox);
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const premiumCountriesOf = (trunkId: number) => sandbox.state().trunks.find(({ id }) => id === trunkId)?.premiumCountries;
const validationMessage = 'The request is not valid';

describe('login', () => {
	it('gives a JWT for the API key', async () => {
		const { status, data } = await client.login(DEMO_CLIENT);
		expect(status).toBe(200);
		expect(Object.keys(data)).toEqual(['access_token']);
		expect(data.access_token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
	});

	it.each([
		['a wrong key', { clientId: DEMO_CLIENT.clientId, clientSecret: 'wrong' }],
		['an unknown client', { clientId: 'nobody', clientSecret: DEMO_CLIENT.clientSecret }],
	])('rejects %s with 401', async (_, credentials) => {
		const { status, data } = await client.login(credentials);
		expect(status).toBe(401);
		expect(data).toEqual({
			status: 'Unauthorized',
			message: 'The client id or the API key is not valid',
			errors: 'Check clientId and clientSecret: they do not match any client of this service',
		});
	});

	it('lists the fields that are missing or empty', async () => {
		const { status, data } = await client.call('POST', '/auth/api-key/login', { body: new URLSearchParams({ clientId: '' }), token: null });
		expect(status).toBe(400);
		expect(data.errors).toEqual([
			{ field: 'clientSecret', message: 'is required' },
			{ field: 'clientId', message: 'must not be empty' },
		]);
	});

	it('takes a form and nothing else', async () => {
		const { status, data } = await client.call('POST', '/auth/api-key/login', { body: { ...DEMO_CLIENT }, token: null });
		expect(status).toBe(415);
		expect(data.errors).toBe('Sent: application/json. Accepted: application/x-www-form-urlencoded');
	});
});

describe('set premium', () => {
	it('makes the country premium for the trunk and has nothing to say', async () => {
		const { status, data, headers } = await client.setPremium({ idTrunk: 1001, iso: 'IT' });
		expect([status, data]).toEqual([204, '']);
		expect(headers).not.toHaveProperty('content-length');
		expect(headers).not.toHaveProperty('content-type');
		expect(premiumCountriesOf(1001)).toEqual([{ iso: 'IT' }]);
		expect(premiumCountriesOf(1002)).toEqual([]);
	});

	it('records every optional field, and the country in upper case', async () => {
		await client.setPremium({ idTrunk: 1002, iso: 'fra', organizationId: 10, sbcId: 2, premium_available: 'yes' });
		expect(premiumCountriesOf(1002)).toEqual([{ iso: 'FRA', organizationId: 10, sbcId: 2, premium_available: 'yes' }]);
	});

	it('keeps the last request for a country, and each country once', async () => {
		await client.setPremium({ idTrunk: 1001, iso: 'IT', sbcId: 1 });
		await client.setPremium({ idTrunk: 1001, iso: '380' });
		await client.setPremium({ idTrunk: 1001, iso: 'it', sbcId: 2 });
		expect(premiumCountriesOf(1001)).toEqual([{ iso: 'IT', sbcId: 2 }, { iso: '380' }]);
	});

	it.each(['I', 'ITAL', '12', '1234', 'I1', '', ' IT', 'İT'])('rejects the country code "%s"', async (iso) => {
		const { status, data } = await client.setPremium({ idTrunk: 1001, iso });
		expect(status).toBe(400);
		expect(data.errors).toEqual([{ field: 'iso', message: 'must be a country code: two or three letters, or three digits' }]);
		expect(premiumCountriesOf(1001)).toEqual([]);
	});

	it.each([
		['both required fields missing', {}, [{ field: 'idTrunk', message: 'is required' }, { field: 'iso', message: 'is required' }]],
		['a trunk id in quotes', { idTrunk: '1001', iso: 'IT' }, [{ field: 'idTrunk', message: 'must be integer' }]],
		['a fraction of a trunk', { idTrunk: 1001.5, iso: 'IT' }, [{ field: 'idTrunk', message: 'must be integer' }]],
		['optional fields of the wrong type', { idTrunk: 1001, iso: 'IT', sbcId: '1', organizationId: null, premium_available: true }, [
			{ field: 'organizationId', message: 'must be integer' },
			{ field: 'sbcId', message: 'must be integer' },
			{ field: 'premium_available', message: 'must be string' },
		]],
		['a list', [{ idTrunk: 1001, iso: 'IT' }], [{ field: 'body', message: 'must be object' }]],
		['null', 'null', [{ field: 'body', message: 'must be object' }]],
		['a text', '"IT"', [{ field: 'body', message: 'must be object, not string' }]],
		['no body', undefined, [{ field: 'body', message: 'is required' }]],
	])('answers %s with one entry for each field that is wrong', async (_, body, errors) => {
		const { status, data } = await client.setPremium(body);
		expect(status).toBe(400);
		expect(data).toEqual({ status: 'Bad Request', message: validationMessage, errors });
	});

	it('says that a body is not JSON', async () => {
		const { status, data } = await client.setPremium('{"idTrunk": 1001,');
		expect(status).toBe(400);
		expect(data.errors).toEqual([{ field: 'body', message: expect.stringMatching(/^is not JSON: /) }]);
	});

	it('rejects another content type', async () => {
		const { status } = await client.setPremium('idTrunk=1001&iso=IT', { headers: { 'Content-Type': 'text/plain' } });
		expect(status).toBe(415);
	});

	it('rejects a body of more than a mebibyte', async () => {
		const { status } = await client.setPremium({ idTrunk: 1001, iso: 'IT', premium_available: 'x'.repeat(1024 * 1024) });
		expect(status).toBe(413);
		expect(premiumCountriesOf(1001)).toEqual([]);
	});

	it('does not find a trunk that is not there', async () => {
		const { status, data } = await client.setPremium({ idTrunk: 9999, iso: 'IT' });
		expect([status, data.errors]).toEqual([404, 'No trunk has the id 9999']);
	});

	it('fails on the broken trunk, each time', async () => {
		for (let attempt = 0; attempt < 3; attempt += 1) {
			const { status, data } = await client.setPremium({ idTrunk: BROKEN_TRUNK_ID, iso: 'IT' });
			expect(status).toBe(500);
			expect(data.errors).toEqual({ trunk: BROKEN_TRUNK_ID, reason: 'This trunk is broken on purpose' });
		}
		expect(premiumCountriesOf(BROKEN_TRUNK_ID)).toEqual([]);
	});
});

describe('get gateway', () => {
	it('gives an Elastic SIP Trunk with its termination URI', async () => {
		const { status, data } = await client.gateway('1');
		expect(status).toBe(200);
		expect(data).toEqual({ id: '1', name: 'Milano Elastic 1', type: 'elastic-sip-trunk', organizationId: 10, terminationUri: 'milano-1.sip.sandbox.example' });
	});

	it('leaves the termination URI out for one gateway and gives null for another', async () => {
		expect((await client.gateway('2')).data).not.toHaveProperty('terminationUri');
		expect((await client.gateway('3')).data).toHaveProperty('terminationUri', null);
	});

	it.each(createSeed().gateways)('gives gateway $id with and without its organization', async (gateway) => {
		expect((await client.gateway(gateway.id)).data).toEqual(gateway);
		expect((await client.gateway(`${gateway.id}/${gateway.organizationId}`)).data).toEqual(gateway);
	});

	it.each([
		['999', 'No gateway has the id 999'],
		['999/10', 'No gateway has the id 999'],
		['1/20', 'Gateway 1 does not belong to organization 20'],
		['1/99', 'No organization has the id 99'],
		['a%2Fb', 'No gateway has the id a/b'],
	])('does not find %s', async (path, errors) => {
		const { status, data } = await client.gateway(path);
		expect(status).toBe(404);
		expect(data).toEqual({ status: 'Not Found', message: 'The requested DSS resource is not found', errors });
	});

	it('decodes the id in the path', async () => {
		expect((await client.gateway('%31')).data.id).toBe('1');
	});

	it('rejects a path that cannot be decoded', async () => {
		const { status, data } = await client.gateway('%zz');
		expect(status).toBe(400);
		expect(data.errors).toEqual([{ field: 'path', message: 'is not percent-encoded correctly: /v1/voip/dss/gtw/%zz' }]);
	});

	it('rejects a query, which a badly encoded id would become', async () => {
		const { status, data } = await client.gateway('1?x=2');
		expect([status, data.errors]).toEqual([400, [{ field: 'x', message: 'is not known' }]]);
	});
});

describe('add customer', () => {
	it('gives the record back with an id and the moment of its creation', async () => {
		const { status, data } = await client.addCustomer({ vatNumber: 'IT12345678903', companyName: 'Rossi', address: { city: 'Milano' } });
		expect(status).toBe(201);
		expect(data).toEqual({ id: 1, vatNumber: 'IT12345678903', companyName: 'Rossi', address: { city: 'Milano' }, createdAt: expect.any(String) });
		expect(sandbox.state().customers).toEqual([data]);
	});

	it.each(['pIva', 'piva'])('takes the older name %s for the VAT number', async (alias) => {
		const { status, data } = await client.addCustomer({ [alias]: '12345678903' });
		expect(status).toBe(201);
		expect(data).toEqual({ id: 1, vatNumber: '12345678903', createdAt: expect.any(String) });
	});

	it('takes several names with one value', async () => {
		const { status, data } = await client.addCustomer({ vatNumber: '1', pIva: '1', piva: '1' });
		expect([status, data.vatNumber]).toEqual([201, '1']);
		expect(data).not.toHaveProperty('pIva');
	});

	it('shows the contradiction of two names with different values, and creates nothing', async () => {
		const { status, data } = await client.addCustomer({ vatNumber: '1', piva: '2' });
		expect(status).toBe(400);
		expect(data).toEqual({ status: 'Bad Request', message: 'vatNumber and its aliases have different values', errors: { vatNumber: '1', piva: '2' } });
		expect(sandbox.state().customers).toEqual([]);
	});

	it('creates a second record for the same VAT number, so that a duplicate can be seen', async () => {
		await client.addCustomer({ vatNumber: '1' });
		await client.addCustomer({ vatNumber: '1' });
		expect(sandbox.state().customers.map(({ id, vatNumber }) => [id, vatNumber])).toEqual([[1, '1'], [2, '1']]);
	});

	it('gives ids and moments itself', async () => {
		const { data } = await client.addCustomer({ vatNumber: '1', id: 77, createdAt: 'long ago' });
		expect(data.id).toBe(1);
		expect(data.createdAt).not.toBe('long ago');
	});

	it.each([
		[{ vatNumber: 12345678903 }, { field: 'vatNumber', message: 'must be string' }],
		[{ vatNumber: '' }, { field: 'vatNumber', message: 'must not be empty' }],
		[{ piva: null }, { field: 'piva', message: 'must be string' }],
	])('rejects %j', async (body, entry) => {
		const { status, data } = await client.addCustomer(body);
		expect([status, data.errors]).toEqual([400, [entry]]);
		expect(sandbox.state().customers).toEqual([]);
	});
});

describe('what is not in the document', () => {
	it.each([
		['GET', '/v1'],
		['POST', '/'],
		['GET', '/v1/voip/dss/gtw/'],
		['GET', '/v1/voip/dss/gtw/1/'],
		['GET', '/v1/voip/dss/gtw/1/10/2'],
		['GET', '/v2/customers/add'],
	])('%s %s gives 404 with the error body', async (method, path) => {
		const { status, data } = await client.call(method, path);
		expect([status, data.errors]).toEqual([404, `Nothing answers ${method} ${path}`]);
	});

	it('another method gives 405 with the error body', async () => {
		const { status, data } = await client.call('DELETE', '/v1/voip/dss/gtw/1');
		expect([status, data.status]).toEqual([405, 'Method Not Allowed']);
	});
});
