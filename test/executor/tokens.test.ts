import type { ServerResponse } from 'node:http';
import { time } from '../../nodes/VoiceAdmin/time';
import {
	addCustomer,
	aheadClock,
	type Arrived,
	credentialFor,
	CONTINUE,
	CredentialStore,
	execute,
	getGateway,
	httpRequest,
	json,
	numbered,
	Polling,
	type Recorder,
	startService,
	testCredential,
} from '../support/executor';

let service: Recorder;
let skip: (ms: number) => void;

/** Tokens that the service has issued, the newest last; which of them it accepts is what a test is about. */
let tokens: string[];
let isValid: (token: string) => boolean;
/** How the service answers a token that it does not accept, and one that it does. */
let refuse: (response: ServerResponse) => void;
let answer: (request: Arrived, response: ServerResponse) => void;
/** What a login says besides the token. */
let ofLogin: object;

beforeEach(async () => {
	skip = aheadClock();
	tokens = [];
	isValid = (token) => token === tokens.at(-1);
	refuse = (response) => json(response, 401, { message: 'Unauthorized', errors: '' });
	answer = (_request, response) => json(response, 200, { id: '1' });
	ofLogin = {};
	service = await startService(
		(request, response) => {
			const token = String(request.headers.authorization).replace('Bearer ', '');
			if (isValid(token)) answer(request, response);
			else refuse(response);
		},
		(_request, response) => {
			tokens.push(`token-${tokens.length + 1}`);
			json(response, 200, { access_token: tokens.at(-1), ...ofLogin });
		},
	);
});

const create = async () =>
	await execute({ parameters: addCustomer('IT12345678903'), credential: credentialFor(service.url) });

/** Gets so many gateways, with the ids 0, 1 …; each that fails has an item with its error. */
const getGateways = async (count: number, more: object = {}) =>
	await execute({
		items: numbered(count),
		parameters: getGateway('={{ $json.n }}'),
		credential: credentialFor(service.url, more),
		settings: CONTINUE,
	});

/** A token that says this of itself. */
const jwt = (claims: object) => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;

/** Lets the node's waits end sooner. */
async function hurried<Result>(run: Promise<Result>): Promise<Result> {
	const timer = setInterval(() => skip(500), 50);
	return await run.finally(() => clearInterval(timer));
}

/** The errors among output items. */
const errorsOf = (output: Array<{ json: { error?: unknown } }>) =>
	output.flatMap(({ json: { error } }) => (error === undefined ? [] : [error as Record<string, string>]));

test.each<[number, Record<string, string>]>([
	[401, {}],
	[403, {}],
	[440, {}],
	[302, { location: '/login' }],
])(
	'a token that has expired, by a %i, costs one login, and no item, in the node and in the trigger',
	async (status, headers) => {
		refuse = (response) => response.writeHead(status, headers).end();
		const credential = credentialFor(service.url);
		const trigger = new Polling({ gatewayIds: '1' }, credential);
		for (const go of [
			async () => await trigger.poll(),
			async () => await execute({ parameters: getGateway('1'), credential }),
		]) {
			expect((await go()).error).toBeUndefined();
			skip(6 * 60_000);
			const [expired] = tokens.slice(-1);
			isValid = (token) => token !== expired;
			expect((await go()).error).toBeUndefined();
		}
		expect(service.logins).toHaveLength(3);
	},
);

test.each([
	[290, 'stays', 1],
	[310, 'is replaced', 2],
])('a token that gets a 403 %i seconds after its login %s', async (seconds, _what, logins) => {
	await create();
	skip(seconds * 1_000);
	isValid = (token) => token !== tokens[0];
	refuse = (response) => json(response, 403, {});
	expect((await create()).error === undefined).toBe(logins === 2);
	expect(service.logins).toHaveLength(logins);
});

test('a token answered by a redirect is not replaced for a create, which may have been done', async () => {
	refuse = (response) => response.writeHead(303, { location: '/customers/7' }).end();
	await create();
	skip(60_000);
	isValid = () => false;
	const { error } = await create();
	expect(error?.context).toMatchObject({ outcome: 'unknown' });
	expect([service.requests.length, service.logins.length]).toEqual([2, 1]);
});

test('a credential test that succeeds gives the next request a token with the permissions that the key has now', async () => {
	const credential = credentialFor(service.url);
	const permitted = new Set<string>();
	answer = ({ headers }, response) =>
		permitted.has(String(headers.authorization)) ? json(response, 200, {}) : json(response, 403, {});
	expect((await create()).error?.context).toMatchObject({ code: 'forbidden' });
	permitted.add('Bearer token-3');
	expect((await testCredential(credential)).status).toBe('OK');
	expect((await create()).error).toBeUndefined();
});

test("an error has none of the key's last five tokens, whatever the service repeats", async () => {
	answer = (_request, response) => json(response, 400, { message: `Not one of ${tokens.join()}`, errors: '' });
	for (let logins = 1; logins < 5; logins++) {
		await create();
		skip(6 * 60_000);
		const [expired] = tokens.slice(-1);
		isValid = (token) => token !== expired;
	}
	const { error } = await create();
	expect(tokens).toHaveLength(5);
	expect(error?.message).toBe('Not one of ***,***,***,***,***');
});

test('the HTTP Request node sends nothing without a token, and says why, while logins are limited', async () => {
	const limited = await startService(
		(_request, response) => json(response, 200, {}),
		(_request, response) => response.writeHead(429, { 'Retry-After': '600' }).end(),
	);
	const store = new CredentialStore(credentialFor(limited.url));
	for (let requests = 0; requests < 2; requests++)
		await expect(httpRequest(`${limited.url}/x`, store)).rejects.toThrow(/^Couldn't log in: .+ limits requests/);
	expect(limited.arrived).toEqual(['POST /auth/api-key/login']);
});

test('a request of the HTTP Request node keeps its own error where the login after it fails, which is not repeated', async () => {
	let isDown = false;
	service = await startService(
		(_request, response) => json(response, isDown ? 504 : 200, {}),
		(_request, response) => json(response, isDown ? 503 : 200, { access_token: 'token-1' }),
	);
	const store = new CredentialStore(credentialFor(service.url));
	await httpRequest(`${service.url}/x`, store);
	skip(10_000);
	isDown = true;
	await expect(httpRequest(`${service.url}/x`, store)).rejects.toMatchObject({ httpCode: '504' });
	expect(service.logins).toHaveLength(2);
});

test('an old token that has expired, by a 403 that comes to some items late, costs one login, and no item', async () => {
	await getGateways(1);
	skip(6 * 60_000);
	isValid = (token) => token !== tokens[0];
	let refused = 0;
	refuse = (response) => void setTimeout(() => json(response, 403, {}), refused++ % 2 === 0 ? 0 : 500);
	expect(errorsOf((await getGateways(40)).output)).toEqual([]);
	expect(service.logins).toHaveLength(2);
});

test.each([
	["the login's expires_in", () => ({ expires_in: 3_600 }), 3_500, 3_545],
	['its JWT', () => ({ access_token: jwt({ iat: 1_000, exp: 1_100 }) }), 80, 95],
])('a token is replaced before it ends, by %s', async (_what, login, still, replaced) => {
	isValid = () => true;
	ofLogin = login();
	await getGateways(1);
	skip(still * 1_000);
	await getGateways(1);
	expect(service.logins).toHaveLength(1);
	skip((replaced - still) * 1_000);
	expect((await getGateways(1)).error).toBeUndefined();
	expect(service.logins).toHaveLength(2);
});

test.each([
	[401, 'five seconds, as the key is not accepted', 5_000, "The service didn't accept the API key: "],
	[500, 'half a second, as the service failed', 500, 'log in: '],
])('after a login that got %i, no other is tried for %s, whatever the run', async (status, _why, ms, message) => {
	let now = 1_000_000;
	jest.spyOn(time, 'now').mockImplementation(() => now);
	service = await startService(
		(_request, response) => json(response, 200, {}),
		(_request, response) => json(response, status, {}),
	);
	const logins: number[] = [];
	for (const passed of [0, ms - 1, 1]) {
		now += passed;
		const errors = errorsOf((await getGateways(300)).output);
		expect(errors).toMatchObject(Array(300).fill({ code: 'login_failed', message: expect.stringContaining(message) }));
		logins.push(service.logins.length);
	}
	expect(logins).toEqual([1, 1, 2]);
});

describe('an error of a token that is refused for good says what to do', () => {
	test('where the service accepts none: to check the header', async () => {
		const { output } = await hurried(getGateways(1, { authHeaderName: 'X-Token' }));
		expect(errorsOf(output)[0]!.description).toContain(
			"Check 'Token Header Name' and 'Token Prefix' in the credential: the service has accepted no access token of this API key",
		);
		expect(service.logins).toHaveLength(2);
	});

	test('where it accepts only the newest, and others log in: to let only one use the key', async () => {
		await getGateways(1);
		// Whatever token this process gets, another one has a newer.
		isValid = () => false;
		const { output } = await hurried(getGateways(30));
		expect(errorsOf(output)).toHaveLength(30);
		for (const error of errorsOf(output))
			expect(error).toMatchObject({
				code: 'unauthorized',
				outcome: 'not_done',
				description: expect.stringContaining(
					"If you changed 'Token Header Name' or 'Token Prefix' in the credential, check them: the service accepted earlier access tokens of this API key, but not the new one. If all requests fail, the service may honor only a key's newest token, while another n8n process or program logs in with this key: let only one of them use it",
				),
			});
	});

	test('where it accepts it for other requests: to ask for this one', async () => {
		answer = ({ target }, response, isRefused = target.endsWith('/0')) =>
			json(response, isRefused ? 401 : 200, isRefused ? { message: 'Not yours', errors: '' } : { id: '1' });
		const { output } = await execute({
			items: numbered(100),
			parameters: getGateway('={{ $json.n }}', { options: { maxConcurrency: 4 } }),
			credential: credentialFor(service.url),
			settings: CONTINUE,
		});
		expect(errorsOf(output).map(({ description }) => description)).toEqual([
			expect.stringContaining(
				'The service accepts the access token for other requests, but not for this one. Ask your provider',
			),
		]);
	});
});

test('after a request of the HTTP Request node that failed, the next one has a new token; where that does not help, one in ten seconds', async () => {
	const store = new CredentialStore(credentialFor(service.url));
	const request = async () =>
		await httpRequest(`${service.url}/x`, store).then(
			() => 'done',
			() => 'failed',
		);
	isValid = () => true;
	expect(await request()).toBe('done');
	skip(3_000);
	isValid = (token) => token !== 'token-1';
	expect([await request(), await request()]).toEqual(['failed', 'done']);
	expect(service.logins).toHaveLength(2);
	isValid = () => false;
	for (let second = 0; second < 40; second++, skip(1_000)) expect(await request()).toBe('failed');
	expect(service.logins.length).toBeLessThanOrEqual(2 + 5);
});
