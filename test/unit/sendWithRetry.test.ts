import { parseCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
import { tokenManagerOf } from '../../nodes/VoiceAdmin/transport/auth/tokenManager';
import { limiterOf } from '../../nodes/VoiceAdmin/transport/flow/concurrencyLimiter';
import type { Cause } from '../../nodes/VoiceAdmin/transport/flow/outage';
import type { Permit } from '../../nodes/VoiceAdmin/transport/flow/flowController';
import { RunLimit } from '../../nodes/VoiceAdmin/transport/flow/runLimit';
import { time } from '../../nodes/VoiceAdmin/transport/flow/time';
import type { RequestContext } from '../../nodes/VoiceAdmin/transport/sendRequest';
import { sendWithRetry } from '../../nodes/VoiceAdmin/transport/sendWithRetry';
import { type Sandbox, startSandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { logLines } from '../support/executor/execute';
import { Polling } from '../support/executor/poll';
import { startService } from '../support/executor/startService';
import { json } from '../support/recorder';
import { aheadClock } from '../support/time';
import { until } from '../support/until';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

afterEach(() => jest.restoreAllMocks());
afterAll(async () => await sandbox.close());

/** What a run sends with; n8n's helpers are those of a trigger. */
function contextOf(run: RunLimit): RequestContext {
	const data = credentialFor(sandbox.url);
	return { n8n: new Polling({ gatewayIds: '1' }, data).context, credential: parseCredential(data), connection: {},
		run, maxRetries: 0, stopsOnFailure: false };
}

const getGateway = { method: 'GET', path: '/v1/voip/dss/gtw/1', fields: {} } as const;

test('requests that succeed raise the limit of their key', async () => {
	const context = contextOf(new RunLimit(500, 120_000));
	const { limit } = limiterOf(context.credential).flow;
	await Promise.all(Array.from({ length: limit }, async () => await sendWithRetry(context, getGateway, ({ status }) => status)));
	expect(limiterOf(context.credential).flow.limit).toBeGreaterThan(limit);
});

test('a request that is sent again is logged without its query, and by 100 characters of its path', async () => {
	const lines = logLines();
	jest.spyOn(time, 'random').mockReturnValue(0.1);
	sandbox.setFaults({ rules: [{ fault: 'http503', method: 'GET', count: 1 }] });
	const path = `/v1/voip/dss/gtw/${'9'.repeat(100)}`;
	const context = { ...contextOf(new RunLimit(1, 120_000)), maxRetries: 2 };
	const result = await sendWithRetry(context, { ...getGateway, path: `${path}?key=secret` },
		({ status }) => (status < 500 ? 'sent again' : undefined));
	expect(result).toEqual({ value: 'sent again' });
	expect(lines).toContain(`Voice Admin: GET ${path.slice(0, 100)} failed (service_error), attempt 1; retry in 10 ms`);
	expect(lines.join()).not.toContain('secret');
});

test('a connection that breaks when its run was closed does not lower the limit of its key', async () => {
	const run = new RunLimit(1, 120_000);
	const service = await startService((_request, response) => {
		run.stop();
		response.destroy();
	});
	const credential = parseCredential(credentialFor(service.url));
	await sendWithRetry({ ...contextOf(run), credential }, getGateway, () => undefined);
	expect(limiterOf(credential).flow.limit).toBe(25);
});

test('a request whose token is replaced each time that it is sent is given up after 30 times', async () => {
	const service = await startService((_request, response) => {
		tokenManagerOf(credential).forget();
		json(response, 401, { message: 'Expired', errors: '' });
	});
	const credential = parseCredential(credentialFor(service.url));
	const result = await sendWithRetry({ ...contextOf(new RunLimit(1, 120_000)), credential }, getGateway, () => undefined);
	expect(result).toMatchObject({ failure: { message: 'Expired', code: 'unauthorized' } });
	expect([service.requests.length, service.logins.length]).toEqual([31, 31]);
});

test('no permit is held while a request waits for a login', async () => {
	sandbox.setFaults({ rules: [{ fault: 'latency', path: '/auth', ms: 300 }] });
	const run = new RunLimit(1, 120_000);
	const context = contextOf(run);
	// A key of its own, and so no token yet.
	const credential = parseCredential(credentialFor(sandbox.url, { clientSecret: 'not the key' }));
	const { logins } = sandbox.state().counters;
	const sending = sendWithRetry({ ...context, credential }, getGateway, () => undefined);
	await until(() => sandbox.state().counters.logins > logins, 'the login is under way');
	expect(run.inFlight).toBe(0);
	const result = await sending;
	expect(result).toMatchObject({ failure: { code: 'login_failed', outcome: 'not_sent' } });
});

test.each<[Cause, number | undefined, string, string]>([
	['rateLimited', 429, 'last returned 429, and has accepted no request for', 'rate_limited'],
	['unavailable', 502, 'last returned 502, and has accepted no request for', 'service_error'],
	['unavailable', undefined, 'has not responded for', 'connection_failed'],
])('a request that was not sent for as long as it may wait says why: %s, %s', async (cause, status, words, code) => {
	const service = await startService((_request, response) => json(response, 200, {}));
	const context = { ...contextOf(new RunLimit(1, 50_000)), credential: parseCredential(credentialFor(service.url)) };
	const limiter = limiterOf(context.credential);
	expect(await sendWithRetry(context, getGateway, () => 'with a token')).toEqual({ value: 'with a token' });
	const skip = aheadClock();
	const permit = (await limiter.acquire(new RunLimit(1, 120_000), { kind: 'create' })) as Permit;
	permit.report(cause, { status, retryAfterMs: 60_000 });
	const result = sendWithRetry(context, getGateway, () => undefined);
	skip(50_000);
	const message = `The service ${words} 50 seconds${code === 'service_error' ? '' : '. Try again later'}`;
	expect(await result).toMatchObject({ failure: { message, description: expect.stringMatching(/^The request was not sent/), code, outcome: 'not_sent' } });
	expect(service.requests).toHaveLength(1);
});

test('a request that was sent, and waits for its service for as long as it may, fails with the last answer', async () => {
	const service = await startService((_request, response) => json(response, 503, { message: 'Busy', errors: '' }));
	const credential = parseCredential(credentialFor(service.url));
	const result = await sendWithRetry({ ...contextOf(new RunLimit(1, 1_000)), credential, maxRetries: 1 }, getGateway, () => undefined);
	expect(result).toMatchObject({ failure: { message: 'Busy', code: 'service_error', outcome: 'unknown',
		description: expect.stringContaining('The request waited for the service for 1 second') } });
	// More often than it has retries.
	expect(service.requests.length).toBeGreaterThan(2);
});

test('requests that fail for their own fault do not wait for the service when no others are left', async () => {
	const service = await startService((request, response) => json(response, request.target.endsWith('/1') ? 200 : 502, {}));
	const context = { ...contextOf(new RunLimit(10, 120_000)), credential: parseCredential(credentialFor(service.url)), maxRetries: 2 };
	const send = async (gateway: number) =>
		await sendWithRetry(context, { ...getGateway, path: `/v1/voip/dss/gtw/${gateway}` }, ({ status }) => (status === 200 ? 'read' : undefined));
	jest.spyOn(time, 'random').mockReturnValue(0.99);
	const failing: Array<ReturnType<typeof send>> = [];
	for (const gateway of [2, 3, 4, 5]) {
		failing.push(send(gateway));
		await until(() => service.requests.some(({ target }) => target.endsWith(`/${gateway}`)), 'it has failed once');
		expect(await send(1)).toEqual({ value: 'read' });
	}
	for (const result of await Promise.all(failing)) expect(result).toMatchObject({ failure: { description: expect.stringContaining('Attempts: 4.') } });
});

test('a request whose key is refused while it waits for its service says so', async () => {
	const service = await startService((_request, response) => {
		tokenManagerOf(credential).forget();
		json(response, 429, {});
	}, (_request, response) => json(response, service.logins.length === 1 ? 200 : 401, service.logins.length === 1 ? { access_token: 'token' } : {}));
	const credential = parseCredential(credentialFor(service.url));
	const result = await sendWithRetry({ ...contextOf(new RunLimit(1, 120_000)), credential }, getGateway, () => undefined);
	expect(result).toMatchObject({ failure: { message: expect.stringMatching(/^The service did not accept the API key/), code: 'login_failed', outcome: 'not_done' } });
});

test('after a create that failed for want of its service, the next one is sent after a login, and once', async () => {
	const service = await startService((_request, response) => json(response, service.requests.length === 1 ? 502 : 200, {}));
	const credential = parseCredential(credentialFor(service.url));
	const create = { method: 'POST', path: '/v1/customers/add', body: {}, fields: {}, creates: 'customer' } as const;
	const add = async () => await sendWithRetry({ ...contextOf(new RunLimit(1, 120_000)), credential }, create, ({ status }) => (status === 200 ? 'created' : undefined));
	expect([await add(), await add()]).toEqual([{ failure: expect.objectContaining({ outcome: 'unknown' }) }, { value: 'created' }]);
	expect(service.arrived).toEqual(['POST /auth/api-key/login', 'POST /v1/customers/add', 'POST /auth/api-key/login', 'POST /v1/customers/add']);
});
