import type { Sandbox } from '../../sandbox';
import { CredentialStore, credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { expectOneLoginPerToken } from '../support/executor/logins';
import { addCustomer, getGateway, numbered } from '../support/operations';
import { Polling } from '../support/executor/poll';
import { json, RECORDED_TOKEN, Recorder } from '../support/recorder';
import { sandboxOfEachTest } from '../support/executor/sandboxOfEachTest';
import { aheadClock } from '../support/time';
import { until } from '../support/until';

let sandbox: Sandbox;

sandboxOfEachTest((started) => { sandbox = started; }, { latencyMs: 5 });
afterEach(() => jest.restoreAllMocks());

const gatewayOfItem = getGateway('={{ $json.n % 12 + 1 }}');
const expectedIds = (count: number) => numbered(count).map(({ n }) => String((n % 12) + 1));

/** The first, three more, as logins of other processes may have invalidated the token, and one more every minute. */
function expectFewLogins({ logins }: Recorder, started: number): void {
	expect(logins.length).toBeGreaterThanOrEqual(2);
	expect(logins.length).toBeLessThanOrEqual(4 + Math.floor((Date.now() - started) / 60_000));
}

describe('one login per token lifetime', () => {
	test('300 items without a token log in once, and the credential is not written', async () => {
		const credential = credentialFor(sandbox.url);
		const { output, error, store } = await execute({ items: numbered(300), parameters: gatewayOfItem, credential });
		expect(error).toBeUndefined();
		expect(output.map(({ json: { id } }) => id)).toEqual(expectedIds(300));
		expect(sandbox.state().counters.logins).toBe(1);
		expect(store.writes).toBe(0);
		expect(store.stored).toEqual(credential);
	});

	test('a token that expires during 300 items costs one more login and no item', async () => {
		sandbox.setFaults({ rules: [{ fault: 'tokenExpires', afterRequests: 150 }] });
		const { output, error } = await execute({
			items: numbered(300),
			parameters: gatewayOfItem,
			credential: credentialFor(sandbox.url),
		});
		expect(error).toBeUndefined();
		expect(output.map(({ json: { id } }) => id)).toEqual(expectedIds(300));
		expect(sandbox.requests().some(({ status }) => status === 401)).toBe(true);
		expect(sandbox.state().counters.logins).toBe(2);
	});

	test('a create whose token has expired is sent again after one login, and creates once', async () => {
		const credential = credentialFor(sandbox.url);
		const skip = aheadClock();
		await execute({ parameters: addCustomer('1'), credential });
		skip(4_000);
		sandbox.expireTokens();
		expect((await execute({ parameters: addCustomer('2'), credential })).error).toBeUndefined();
		expect(sandbox.requests().map(({ operationId, status }) => `${operationId} ${status}`)).toEqual(['login 200', 'addCustomer 201', 'addCustomer 401', 'login 200', 'addCustomer 201']);
		expect(sandbox.state().customers.map(({ vatNumber }) => vatNumber)).toEqual(['1', '2']);
	});

	test('a second run in the same process uses the token of the first', async () => {
		const store = new CredentialStore(credentialFor(sandbox.url));
		await execute({ parameters: getGateway('1'), credential: store });
		await execute({ parameters: getGateway('2'), credential: store });
		expect(sandbox.state().counters.logins).toBe(1);
	});

	test('a token that stands in the stored credential is not sent', async () => {
		const service = await Recorder.start((_request, response) => json(response, 200, {}));
		const { error } = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url, { accessToken: 'stored-token' }) });
		expect(error).toBeUndefined();
		expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${RECORDED_TOKEN}`]);
		await service.close();
	});

	test('concurrent runs share one login', async () => {
		const store = new CredentialStore(credentialFor(sandbox.url));
		const runs = await Promise.all(
			[1, 2, 3, 4, 5].map(async () => await execute({ items: numbered(20), parameters: gatewayOfItem, credential: store })),
		);
		expect(runs.every(({ error }) => error === undefined)).toBe(true);
		expect(sandbox.state().counters.logins).toBe(1);
	});

	test('a wrong key with 200 items gives one login and one clear error', async () => {
		const { error, output } = await execute({
			items: numbered(200),
			parameters: gatewayOfItem,
			credential: credentialFor(sandbox.url, { clientSecret: 'a-wrong-key-7d2e' }),
		});
		expect(output).toEqual([]);
		expect(error?.message).toMatch(/^The service did not accept the API key: .+ \(401\)\. Check 'Client ID' and 'Client Secret' \(the API key\) in the credential$/);
		expect(error?.httpCode).toBe('401');
		expect(sandbox.requests().map(({ operationId }) => operationId)).toEqual(['login']);
	});

	test('a key that was not accepted causes no login for 5 seconds, in nodes and triggers, and one afterwards', async () => {
		const skip = aheadClock();
		const service = await Recorder.start(
			(_request, response) => json(response, 200, { id: '1' }),
			(_request, response, index) => (index === 0 ? json(response, 401, { message: 'Unknown key', errors: '' }) : json(response, 200, { access_token: RECORDED_TOKEN })),
		);
		const credential = credentialFor(service.url, { clientSecret: 'key-that-is-accepted-later' });
		const run = async () => (await execute({ items: numbered(20), parameters: gatewayOfItem, credential })).error?.message;
		const notAccepted = expect.stringMatching(/^The service did not accept the API key: Unknown key/);
		expect(await run()).toEqual(notAccepted);
		skip(3_000);
		expect(await run()).toEqual(notAccepted);
		expect((await new Polling({ gatewayIds: '1' }, credential).poll()).error?.message).toEqual(notAccepted);
		expect([service.logins.length, service.requests.length]).toEqual([1, 0]);
		skip(2_000);
		expect(await run()).toBeUndefined();
		expect([service.logins.length, service.requests.length]).toEqual([2, 20]);
		await service.close();
	});

	test('a wrong key with 200 items on "Continue" gives each item the same clear message, with its gateway', async () => {
		const { error, output } = await execute({
			items: numbered(200),
			parameters: gatewayOfItem,
			credential: credentialFor(sandbox.url, { clientSecret: 'another-wrong-key-9a1b' }),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(error).toBeUndefined();
		expect(output).toHaveLength(200);
		const errors = output.map(({ json: body }) => body.error as Record<string, string>);
		expect(new Set(errors.map(({ message }) => message)).size).toBe(1);
		expect(errors.map(({ description }) => description)).toEqual(expectedIds(200).map((id) => `Request: gateway ${id}`));
		expect(sandbox.requests()).toHaveLength(1);
	});

	test('403 says that the key lacks permission, and does not log in again', async () => {
		const { error } = await execute({
			parameters: { resource: 'customer', operation: 'add', vatNumber: '12345678903' },
			credential: credentialFor(sandbox.url, {
				clientId: 'demo-reader',
				clientSecret: 'demo-reader-key-not-a-secret',
			}),
		});
		expect(error?.httpCode).toBe('403');
		expect(error?.description).toContain('does not have permission');
		expect(sandbox.state().counters.logins).toBe(1);
	});

	test('a service that rejects its newest token does not get a login per item', async () => {
		const service = await Recorder.start((_request, response) =>
			json(response, 401, { status: 'UNAUTHORIZED', message: 'Full authentication is required', errors: '' }),
		);
		const started = Date.now();
		const { output } = await execute({
			items: numbered(100),
			parameters: gatewayOfItem,
			credential: credentialFor(service.url),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(output).toHaveLength(100);
		expect(output[99]?.json.error).toMatchObject({
			message: 'Full authentication is required',
			description: expect.stringContaining("check 'Token Header Name' and 'Token Prefix' in the credential"),
			httpCode: '401',
		});
		expectFewLogins(service, started);
		await service.close();
	});
});

describe('a 401 that concerns one request', () => {
	test('fails that request and no other, and costs few logins', async () => {
		const service = await Recorder.start((request, response) => {
			if (request.target.endsWith('/150')) json(response, 401, { message: 'Not for you', errors: '' });
			else setTimeout(() => json(response, 200, { id: request.target }), 5);
		});
		const store = new CredentialStore(credentialFor(service.url));
		await execute({ parameters: getGateway('1'), credential: store });
		const { output } = await execute({
			items: numbered(300),
			parameters: getGateway('={{ $json.n }}'),
			credential: store,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(output.filter((item) => item.json.error)).toEqual([
			expect.objectContaining({ json: { error: expect.objectContaining({ message: 'Not for you', httpCode: '401' }) } }),
		]);
		// One for the first run, and four at most for the request that got a 401.
		expect(service.logins.length).toBeLessThanOrEqual(5);
		await service.close();
	});

	test('costs no login while later requests are accepted', async () => {
		const service = await Recorder.start((request, response, index) => {
			const answer = () => json(response, 200, {});
			if (!request.target.endsWith('/10')) return void setTimeout(answer, 2);
			// By then, the service has accepted the token in later requests.
			void until(() => service.requests.length > index + 15, '15 more requests have arrived').then(() => json(response, 401, { message: 'Not for you', errors: '' }));
		});
		const { output } = await execute({
			items: numbered(100),
			parameters: { ...getGateway('={{ $json.n }}'), options: { maxConcurrency: 5 } },
			credential: credentialFor(service.url),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(output.filter((item) => item.json.error)).toHaveLength(1);
		expect(service.requests.filter(({ target }) => target.endsWith('/10')).length).toBeGreaterThan(1);
		expect(service.logins).toHaveLength(1);
		await service.close();
	});

	test('concurrent runs with tokens that expire quickly lose no item', async () => {
		sandbox.setFaults({ rules: [{ fault: 'tokenExpires', afterRequests: 100 }, { fault: 'latency', ms: 3 }] });
		const store = new CredentialStore(credentialFor(sandbox.url));
		const runs = await Promise.all(
			Array.from({ length: 10 }, async () => await execute({ items: numbered(60), parameters: getGateway('1'), credential: store })),
		);
		expect(runs.map(({ error, output }) => error?.message ?? output.length)).toEqual(Array(10).fill(60));
		expectOneLoginPerToken(sandbox, 100);
	});
});

describe('a login that fails', () => {
	test.each(['http503', 'http429'] as const)('with %s again and again is attempted three times for all items together', async (fault) => {
		sandbox.setFaults({ rules: [{ fault, path: '/auth', retryAfterAs: 'none' }] });
		const { output } = await execute({
			items: numbered(100),
			parameters: getGateway('1'),
			credential: credentialFor(sandbox.url),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(output).toHaveLength(100);
		expect(sandbox.state().counters.logins).toBe(3);
	});

	test('because of the timeout of one node fails no node with another one', async () => {
		const service = await Recorder.start(
			(_request, response) => json(response, 200, { id: '1' }),
			(_request, response) => setTimeout(() => json(response, 200, { access_token: RECORDED_TOKEN }), 500),
		);
		const run = async (requestOptions: object) => await execute({ parameters: { ...getGateway('1'), requestOptions } as never, credential: credentialFor(service.url) });
		const failing = run({ timeout: 50 });
		await until(() => service.logins.length > 0, 'the login is under way');
		const [hasty, patient] = await Promise.all([failing, run({})]);
		expect(hasty.error?.message).toMatch(/^Could not log in: .+ did not answer in time; if it never does, check the base URL and n8n's proxy$/);
		expect(patient.error).toBeUndefined();
		await service.close();
	});

	test('with Retry-After is not repeated before that time is over', async () => {
		const skip = aheadClock();
		sandbox.setFaults({ rules: [{ fault: 'http503', path: '/auth', retryAfterAs: 'none', count: 2 }, { fault: 'http503', path: '/auth', retryAfterSeconds: 30, after: 2, count: 1 }] });
		const logins = async () => {
			const { error } = await execute({ parameters: getGateway('1'), credential: credentialFor(sandbox.url) });
			return [error?.message, sandbox.state().counters.logins];
		};
		const failed = expect.stringMatching(/^Could not log in: .+\(503\)/);
		expect(await logins()).toEqual([failed, 3]);
		skip(28_000);
		expect(await logins()).toEqual([failed, 3]);
		skip(2_000);
		expect(await logins()).toEqual([undefined, 4]);
	});
});

test('the 503s of a proxy do not count as accepting a token', async () => {
	let count = 0;
	const service = await Recorder.start((_request, response) =>
		json(response, ++count % 5 === 0 ? 503 : 401, { message: 'No', errors: '' }),
	);
	const started = Date.now();
	const { output } = await execute({
		items: numbered(100),
		parameters: { ...getGateway('1'), options: { maxRetries: 0 } },
		credential: credentialFor(service.url),
		settings: { onError: 'continueRegularOutput' },
	});
	expect(output.some(({ json: { error } }) => (error as { httpCode: string }).httpCode === '503')).toBe(true);
	expectFewLogins(service, started);
	await service.close();
});
