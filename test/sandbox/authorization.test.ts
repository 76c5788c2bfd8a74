import { DEMO_CLIENT, READ_ONLY_CLIENT, type Sandbox, startSandbox } from '../../sandbox';
import { DocumentedClient } from './documentedClient';

/** Long enough for a test, and with a fraction. */
const TOKEN_SECONDS = 3600.5;

let sandbox: Sandbox;
let client: DocumentedClient;

beforeAll(async () => {
	sandbox = await startSandbox({ tokenTtlSeconds: TOKEN_SECONDS });
	client = new DocumentedClient(sandbox);
});
afterAll(async () => await sandbox.close());

describe('a token', () => {
	it.each([
		['is not sent', {}, 'There is no access token'],
		['was never issued', { Authorization: 'Bearer nonsense' }, 'The access token is not known'],
		['is missing after its scheme', { Authorization: 'Bearer' }, 'The access token is malformed'],
		['has another scheme', { Authorization: 'Basic abc' }, 'The access token is malformed'],
		['is followed by something else', { Authorization: 'Bearer a b' }, 'The access token is malformed'],
	])('is rejected if it %s', async (_, headers, message) => {
		const reply = await client.gateway('1', { token: null, headers });
		expect(reply).toMatchObject({ status: 401, data: { message }, headers: { 'www-authenticate': 'Bearer' } });
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
		const now = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
		const token = await client.tokenOf(DEMO_CLIENT);
		clock.mockReturnValue(now + TOKEN_SECONDS * 1000 - 1);
		expect((await client.gateway('1', { token })).status).toBe(200);
		clock.mockReturnValue(now + TOKEN_SECONDS * 1000);
		expect(await client.gateway('1', { token })).toMatchObject({ status: 401, data: { message: 'The access token has expired' } });
		jest.restoreAllMocks();
	});
});

it('the read-only client learns that it lacks the permission, and not what is wrong with its request', async () => {
	const token = await client.tokenOf(READ_ONLY_CLIENT);
	expect((await client.gateway('1', { token })).status).toBe(200);
	const errors = 'Client demo-reader does not have the permission: write';
	for (const rejected of [client.setPremium({ idTrunk: 9999, iso: 'IT' }, { token }), client.addCustomer({ vatNumber: 1 }, { token })]) {
		expect(await rejected).toMatchObject({ status: 403, data: { status: 'Forbidden', errors } });
	}
});

it('a request that is rejected with 401 or 403 changes nothing, and says nothing of its body', async () => {
	expect((await client.setPremium('{', { token: null })).status).toBe(401);
	expect((await client.setPremium({ idTrunk: 'x' }, { token: null })).status).toBe(401);
	const token = await client.tokenOf(READ_ONLY_CLIENT);
	for (const without of [null, token]) {
		await client.setPremium({ idTrunk: 1001, iso: 'IT' }, { token: without });
		await client.addCustomer({ vatNumber: '1' }, { token: without });
	}
	expect([sandbox.state().customers, sandbox.state().trunks[0]?.premiumCountries]).toEqual([[], []]);
});
