import { DEMO_CLIENT, READ_ONLY_CLIENT, type Sandbox, startSandbox } from '../../sandbox';
import { DocumentedClient, sandboxOfFile } from './documentedClient';

/** Long enough for a test, and with a fraction. */
const TOKEN_SECONDS = 3600.5;

let sandbox: Sandbox;
let client: DocumentedClient;
sandboxOfFile((...own) => ([sandbox, client] = own), { tokenTtlSeconds: TOKEN_SECONDS });

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

it('a request without the permission to write is rejected whatever its body is, and changes nothing', async () => {
	const reader = await client.tokenOf(READ_ONLY_CLIENT);
	expect((await client.gateway('1', { token: reader })).status).toBe(200);
	const forbidden = { status: 403, data: { status: 'Forbidden', errors: 'Client demo-reader does not have the permission: write' } };
	for (const body of ['{', { idTrunk: 'x', vatNumber: 1 }, { idTrunk: 1001, iso: 'IT', vatNumber: '1' }]) {
		for (const [token, rejection] of [[null, { status: 401 }], [reader, forbidden]] as const) {
			expect(await client.setPremium(body, { token })).toMatchObject(rejection);
			expect(await client.addCustomer(body, { token })).toMatchObject(rejection);
		}
	}
	expect([sandbox.state().customers, sandbox.state().trunks[0]?.premiumCountries]).toEqual([[], []]);
});
