import { DEMO_CLIENT, READ_ONLY_CLIENT, type Sandbox, startSandbox } from '../../sandbox';
import { type Answer, encoded, PROFILES } from '../../sandbox/profiles';

let sandbox: Sandbox;
afterEach(async () => await sandbox.close());

const logIn = async ({ clientId, clientSecret } = DEMO_CLIENT) => {
	const body = new URLSearchParams({ clientId, clientSecret });
	return await fetch(`${sandbox.url}/auth/api-key/login`, { method: 'POST', body, redirect: 'manual' });
};
const tokenOf = async (response: Promise<Response>) => ((await (await response).json()) as { access_token: string }).access_token;
const getGateway = async (token: string) =>
	await fetch(`${sandbox.url}/v1/voip/dss/gtw/1`, { redirect: 'manual', headers: { authorization: `Bearer ${token}` } });
const addCustomer = async (token: string, vatNumber: unknown) =>
	await fetch(`${sandbox.url}/v1/customers/add`, {
		method: 'POST',
		headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
		body: JSON.stringify({ vatNumber }),
	});

test.each(PROFILES.map(({ name }) => name))('--profile %s gives its errors, and does what is right', async (name) => {
	const profile = PROFILES.find((one) => one.name === name)!;
	sandbox = await startSandbox({ profile });
	const expectAnswer = async (response: Response, answer: Answer) => {
		const { status, headers, body } = encoded(profile, answer);
		expect(response.status).toBe(status);
		expect(Buffer.from(await response.arrayBuffer())).toEqual(body);
		expect(response.headers.get('content-type')).toBe(headers['content-type']);
		expect(response.headers.get('location')).toBe(headers.location ?? null);
	};
	await expectAnswer(await logIn({ ...DEMO_CLIENT, clientSecret: 'wrong' }), profile.badKey);
	expect(await (await logIn()).json()).toEqual({ access_token: expect.any(String), ...profile.login });
	const token = await tokenOf(logIn());
	await expectAnswer(await addCustomer(token, 7), profile.badRequest);
	await expectAnswer(await addCustomer(await tokenOf(logIn(READ_ONLY_CLIENT)), '1'), profile.forbidden);
	sandbox.setFaults({ rules: [{ fault: 'rateLimit', perSecond: 0.01, burst: 1 }] });
	expect((await getGateway(token)).status).toBe(200);
	const limited = await getGateway(token);
	expect(limited.status).toBe(profile.overload[0]);
	expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
	sandbox.setFaults({ rules: [{ fault: 'http400', message: 'Its own words', count: 1 }, { fault: 'http400' }] });
	expect(await (await getGateway(token)).json()).toMatchObject({ message: 'Its own words' });
	await expectAnswer(await getGateway(token), profile.badRequest);
	sandbox.setFaults({});
	sandbox.expireTokens();
	await expectAnswer(await getGateway(token), profile.expired);
});

test('with newest-token, a login ends the earlier tokens of its key, and those of no other key', async () => {
	sandbox = await startSandbox({ profile: PROFILES.find(({ newestTokenOnly }) => newestTokenOnly) });
	const [first, other] = [await tokenOf(logIn()), await tokenOf(logIn(READ_ONLY_CLIENT))];
	expect((await getGateway(first)).status).toBe(200);
	const second = await tokenOf(logIn());
	expect((await Promise.all([first, second, other].map(getGateway))).map(({ status }) => status)).toEqual([401, 200, 200]);
});

test('an error of a profile can be cut as any other response', async () => {
	const profile = PROFILES.find(({ name }) => name === 'laravel');
	sandbox = await startSandbox({ profile, faults: { rules: [{ fault: 'truncatedJson' }] } });
	expect(await (await logIn({ ...DEMO_CLIENT, clientSecret: 'wrong' })).text()).toMatch(/^\{"message":"The given/);
});
