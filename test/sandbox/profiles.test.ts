import { DEMO_CLIENT, READ_ONLY_CLIENT, type Sandbox, startSandbox } from '../../sandbox';
import { type Answer, encoded, type Profile, PROFILES } from '../../sandbox/profiles';

const profileOf = (name: string): Profile => PROFILES.find((profile) => profile.name === name)!;

describe.each(PROFILES.map((profile) => [profile.name, profile] as const))('--profile %s', (_name, profile) => {
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox({ profile });
	});

	afterAll(async () => await sandbox.close());

	beforeEach(() => sandbox.reset());

	const logIn = async ({ clientId, clientSecret } = DEMO_CLIENT) =>
		await fetch(`${sandbox.url}/auth/api-key/login`, { method: 'POST', body: new URLSearchParams({ clientId, clientSecret }), redirect: 'manual' });
	const tokenOf = async (response: Response) => ((await response.json()) as { access_token: string }).access_token;
	const send = async (method: string, path: string, token: string, body?: object) =>
		await fetch(sandbox.url + path, {
			method,
			redirect: 'manual',
			headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
			...(body && { body: JSON.stringify(body) }),
		});

	const expectAnswer = async (response: Response, answer: Answer) => {
		const { status, headers, raw } = encoded(profile, answer);
		expect(response.status).toBe(status);
		expect(Buffer.from(await response.arrayBuffer())).toEqual(raw);
		expect(response.headers.get('content-type')).toBe(headers['content-type']);
		expect(response.headers.get('location')).toBe(headers.location ?? null);
	};

	test('answers a key that is not known, a token that has expired, a missing permission and a bad request as the profile says', async () => {
		await expectAnswer(await logIn({ ...DEMO_CLIENT, clientSecret: 'wrong' }), profile.badKey);
		const token = await tokenOf(await logIn());
		await expectAnswer(await send('POST', '/v1/customers/add', token, { vatNumber: 7 }), profile.badRequest);
		await expectAnswer(await send('POST', '/v1/customers/add', await tokenOf(await logIn(READ_ONLY_CLIENT)), { vatNumber: '1' }), profile.forbidden);
		sandbox.expireTokens();
		await expectAnswer(await send('GET', '/v1/voip/dss/gtw/1', token), profile.expired);
	});

	test('does what is right, and gives with a token what the profile gives', async () => {
		const login = await logIn();
		expect(await login.clone().json()).toEqual({ access_token: expect.any(String), ...profile.login });
		expect((await send('GET', '/v1/voip/dss/gtw/1', await tokenOf(login))).status).toBe(200);
	});

	test('says how long to wait at an overload, where the profile does', async () => {
		const token = await tokenOf(await logIn());
		sandbox.setFaults({ rateLimit: { perSecond: 1, burst: 1 } });
		const responses = await Promise.all(Array.from({ length: 3 }, async () => await send('GET', '/v1/voip/dss/gtw/1', token)));
		const limited = responses.filter(({ status }) => status !== 200);
		expect(limited.map(({ status }) => status)).toEqual(limited.map(() => profile.overload[0]));
		expect(limited.length).toBeGreaterThan(0);
		for (const { headers } of limited) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
	});
});

test('with newest-token, a login ends the earlier tokens of its key, and those of no other key', async () => {
	const sandbox = await startSandbox({ profile: profileOf('newest-token') });
	const logIn = async ({ clientId, clientSecret } = DEMO_CLIENT) => {
		const response = await fetch(`${sandbox.url}/auth/api-key/login`, { method: 'POST', body: new URLSearchParams({ clientId, clientSecret }) });
		return ((await response.json()) as { access_token: string }).access_token;
	};
	const statusWith = async (token: string) => (await fetch(`${sandbox.url}/v1/voip/dss/gtw/1`, { headers: { authorization: `Bearer ${token}` } })).status;
	const [first, other] = [await logIn(), await logIn(READ_ONLY_CLIENT)];
	expect(await statusWith(first)).toBe(200);
	const second = await logIn();
	expect([await statusWith(first), await statusWith(second), await statusWith(other)]).toEqual([401, 200, 200]);
	await sandbox.close();
});
