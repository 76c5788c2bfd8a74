import { DEMO_CLIENT, READ_ONLY_CLIENT, startSandbox } from '../../sandbox';
import type { Sandbox, SandboxOptions } from '../../sandbox';
import { DocumentedClient } from './documentedClient';

const running: Sandbox[] = [];

async function start(options: SandboxOptions = {}): Promise<{ sandbox: Sandbox; client: DocumentedClient }> {
	const sandbox = await startSandbox(options);
	running.push(sandbox);
	return { sandbox, client: new DocumentedClient(sandbox) };
}

afterEach(async () => {
	await Promise.all(running.splice(0).map((sandbox) => sandbox.close()));
});

const operations: Array<[string, string, string, unknown]> = [
	['set premium', 'PUT', '/v1/voip/dss/trunk/country/setpremium', { idTrunk: 1001, iso: 'IT' }],
	['get gateway', 'GET', '/v1/voip/dss/gtw/1', undefined],
	['get gateway of organization', 'GET', '/v1/voip/dss/gtw/1/10', undefined],
	['add customer', 'POST', '/v1/customers/add', { vatNumber: '1' }],
];

describe.each(operations)('%s', (_, method, path, body) => {
	it('is rejected without a token, and changes nothing', async () => {
		const { sandbox, client } = await start();
		const { status, data, headers } = await client.call(method, path, { body, token: null });
		expect(status).toBe(401);
		expect(data).toEqual({ status: 'Unauthorized', message: 'There is no access token', errors: 'Expected the header Authorization: Bearer <access token>' });
		expect(headers['www-authenticate']).toBe('Bearer');
		expect(sandbox.state().customers).toEqual([]);
		expect(sandbox.state().trunks[0]?.premiumCountries).toEqual([]);
	});

	it('is rejected with a token of another sandbox', async () => {
		const [{ client }, other] = await Promise.all([start(), start()]);
		const { status, data } = await client.call(method, path, { body, token: await other.client.tokenOf(DEMO_CLIENT) });
		expect([status, data.message]).toEqual([401, 'The access token is not known']);
	});

	it('is allowed with a fresh token', async () => {
		const { client } = await start();
		expect((await client.call(method, path, { body })).status).toBeLessThan(300);
	});

	it('is rejected once all tokens were made to expire, and allowed after a new login', async () => {
		const { sandbox, client } = await start();
		const token = await client.tokenOf(DEMO_CLIENT);
		await client.call(method, path, { body, token });
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
		const { client } = await start();
		const { status, data } = await client.gateway('1', { token: null, headers: { Authorization: header } });
		expect([status, data.message]).toEqual([401, message]);
	});

	it('is rejected if its claims were changed', async () => {
		const { client } = await start();
		const [head, , signature] = (await client.tokenOf(READ_ONLY_CLIENT)).split('.');
		const claims = Buffer.from(JSON.stringify({ permissions: ['read', 'write'], exp: 9_999_999_999 })).toString('base64url');
		expect((await client.addCustomer({ vatNumber: '1' }, { token: `${head}.${claims}.${signature}` })).status).toBe(401);
	});

	it('ends with its lifetime, to the fraction of a second', async () => {
		jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'queueMicrotask', 'performance'] });
		try {
			const { client } = await start({ tokenTtlSeconds: 1.5 });
			const token = await client.tokenOf(DEMO_CLIENT);
			jest.setSystemTime(Date.now() + 1499);
			expect((await client.gateway('1', { token })).status).toBe(200);
			jest.setSystemTime(Date.now() + 1);
			expect((await client.gateway('1', { token })).status).toBe(401);
		} finally {
			jest.useRealTimers();
		}
	});

	it('lasts an hour if nothing else was asked for', async () => {
		const { client } = await start();
		const claims = JSON.parse(Buffer.from((await client.tokenOf(DEMO_CLIENT)).split('.')[1] ?? '', 'base64url').toString());
		expect(Math.round(claims.exp - claims.iat)).toBeGreaterThanOrEqual(3600);
		expect(claims.exp - claims.iat).toBeLessThan(3601);
	});
});

describe('the read-only client', () => {
	it.each([
		['set premium', 'PUT', '/v1/voip/dss/trunk/country/setpremium', { idTrunk: 1001, iso: 'IT' }],
		['set premium on a trunk that is not there', 'PUT', '/v1/voip/dss/trunk/country/setpremium', { idTrunk: 9999, iso: 'IT' }],
		['create a customer', 'POST', '/v1/customers/add', { vatNumber: '1' }],
		['learn what is wrong with a customer', 'POST', '/v1/customers/add', { vatNumber: 1 }],
	])('may not %s', async (_, method, path, body) => {
		const { sandbox, client } = await start();
		const { status, data } = await client.call(method, path, { body, token: await client.tokenOf(READ_ONLY_CLIENT) });
		expect(status).toBe(403);
		expect(data).toEqual({ status: 'Forbidden', message: 'This client does not have permission for this operation', errors: 'Client demo-reader does not have the permission: write' });
		expect(sandbox.state().customers).toEqual([]);
		expect(sandbox.state().trunks[0]?.premiumCountries).toEqual([]);
	});
});

it('tells nobody without a token that the body is wrong', async () => {
	const { client } = await start();
	expect((await client.setPremium('{', { token: null })).status).toBe(401);
	expect((await client.setPremium({ idTrunk: 'x' }, { token: null })).status).toBe(401);
});
