import { DEMO_CLIENT, READ_ONLY_CLIENT, startSandbox } from '../../sandbox';
import type { Sandbox } from '../../sandbox';
import { DocumentedClient } from './documentedClient';

const REAL_TIMERS = [
	'nextTick', 'setImmediate', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'queueMicrotask', 'performance',
] as const;
/** Long enough for a test, and with a fraction. */
const TOKEN_SECONDS = 3600.5;

let sandbox: Sandbox;
let client: DocumentedClient;

beforeEach(async () => {
	sandbox = await startSandbox({ tokenTtlSeconds: TOKEN_SECONDS });
	client = new DocumentedClient(sandbox);
});
afterEach(async () => await sandbox.close());

const FORBIDDEN = {
	status: 'Forbidden',
	message: 'This client does not have permission for this operation',
	errors: 'Client demo-reader does not have the permission: write',
};

const operations: Array<[string, string, string, unknown]> = [
	['set premium', 'PUT', '/v1/voip/dss/trunk/country/setpremium', { idTrunk: 1001, iso: 'IT' }],
	['get gateway', 'GET', '/v1/voip/dss/gtw/1', undefined],
	['get gateway of organization', 'GET', '/v1/voip/dss/gtw/1/10', undefined],
	['add customer', 'POST', '/v1/customers/add', { vatNumber: '1' }],
];

const unchanged = () => {
	expect(sandbox.state().customers).toEqual([]);
	expect(sandbox.state().trunks[0]?.premiumCountries).toEqual([]);
};

describe.each(operations)('%s', (_, method, path, body) => {
	it('is rejected without a token, and changes nothing', async () => {
		const { status, data, headers } = await client.call(method, path, { body, token: null });
		const errors = 'Expected the header Authorization: Bearer <access token>';
		expect([status, data]).toEqual([401, { status: 'Unauthorized', message: 'There is no access token', errors }]);
		expect(headers['www-authenticate']).toBe('Bearer');
		unchanged();
	});

	it('is allowed with a token, not once all tokens were made to expire, and again after a new login', async () => {
		const token = await client.tokenOf(DEMO_CLIENT);
		expect((await client.call(method, path, { body, token })).status).toBeLessThan(300);
		sandbox.expireTokens();
		const { status, data } = await client.call(method, path, { body, token });
		expect([status, data.message]).toEqual([401, 'The access token has expired']);
		expect((await client.call(method, path, { body, token: await client.tokenOf(DEMO_CLIENT) })).status).toBeLessThan(300);
	});
});

describe('a token', () => {
	it.each([
		['was never issued', 'Bearer nonsense', 'The access token is not known'],
		['is missing after its scheme', 'Bearer', 'The access token is malformed'],
		['has another scheme', 'Basic abc', 'The access token is malformed'],
		['is followed by something else', 'Bearer a b', 'The access token is malformed'],
	])('is rejected if it %s', async (_, header, message) => {
		const { status, data } = await client.gateway('1', { token: null, headers: { Authorization: header } });
		expect([status, data.message]).toEqual([401, message]);
	});

	it('is rejected if its claims were changed, and if it is of another sandbox', async () => {
		const [head, , signature] = (await client.tokenOf(READ_ONLY_CLIENT)).split('.');
		const claims = Buffer.from(JSON.stringify({ permissions: ['read', 'write'], exp: 9_999_999_999 })).toString('base64url');
		expect((await client.addCustomer({ vatNumber: '1' }, { token: `${head}.${claims}.${signature}` })).status).toBe(401);
		const other = await startSandbox();
		const token = await new DocumentedClient(other).tokenOf(DEMO_CLIENT);
		expect((await client.gateway('1', { token })).data.message).toBe('The access token is not known');
		const { exp, iat } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
		expect(Math.floor(exp - iat)).toBe(3600);
		await other.close();
	});

	it('ends with its lifetime, to the fraction of a second', async () => {
		jest.useFakeTimers({ doNotFake: [...REAL_TIMERS] });
		try {
			const token = await client.tokenOf(DEMO_CLIENT);
			jest.setSystemTime(Date.now() + TOKEN_SECONDS * 1000 - 1);
			expect((await client.gateway('1', { token })).status).toBe(200);
			jest.setSystemTime(Date.now() + 1);
			expect((await client.gateway('1', { token })).status).toBe(401);
		} finally {
			jest.useRealTimers();
		}
	});
});

describe('the read-only client', () => {
	it.each([
		['set premium', 'PUT', '/v1/voip/dss/trunk/country/setpremium', { idTrunk: 1001, iso: 'IT' }],
		['set premium on a trunk that is not there', 'PUT', '/v1/voip/dss/trunk/country/setpremium', { idTrunk: 9999, iso: 'IT' }],
		['create a customer', 'POST', '/v1/customers/add', { vatNumber: '1' }],
		['learn what is wrong with a customer', 'POST', '/v1/customers/add', { vatNumber: 1 }],
	])('may not %s', async (_, method, path, body) => {
		const { status, data } = await client.call(method, path, { body, token: await client.tokenOf(READ_ONLY_CLIENT) });
		expect([status, data]).toEqual([403, FORBIDDEN]);
		unchanged();
	});
});

it('tells nobody without a token that the body is wrong', async () => {
	expect((await client.setPremium('{', { token: null })).status).toBe(401);
	expect((await client.setPremium({ idTrunk: 'x' }, { token: null })).status).toBe(401);
});
