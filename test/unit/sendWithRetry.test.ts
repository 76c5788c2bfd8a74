import { parseCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
import { tokenManagerOf } from '../../nodes/VoiceAdmin/transport/auth/tokenManager';
import { limiterOf } from '../../nodes/VoiceAdmin/transport/flow/limiters';
import { RunLimit } from '../../nodes/VoiceAdmin/transport/flow/runLimit';
import { type RequestContext, sendWithRetry } from '../../nodes/VoiceAdmin/transport/sendWithRetry';
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
	return { context: new Polling({ gatewayIds: '1' }, data).context, credential: parseCredential(data), connection: {},
		run, maxRetries: 0, stopsOnFailure: false };
}

const getGateway = { method: 'GET', path: '/v1/voip/dss/gtw/1', fields: {} } as const;

test('a permit is released whatever goes wrong with a response', async () => {
	const run = new RunLimit(200);
	const context = contextOf(run);
	const read = () => {
		throw new Error('unforeseen');
	};
	// More than there are permits at first: if they stayed, the last ones would wait for ever.
	for (let n = 0; n < 30; n++) await expect(sendWithRetry(context, getGateway, read)).rejects.toThrow('unforeseen');
	expect(run.inFlight).toBe(0);
	expect(limiterOf(context.credential).idleMs).toBeDefined();
});

test('requests that succeed raise the limit of their key', async () => {
	const context = contextOf(new RunLimit(500));
	const { limit } = limiterOf(context.credential);
	await Promise.all(Array.from({ length: limit }, async () => await sendWithRetry(context, getGateway, ({ status }) => status)));
	expect(limiterOf(context.credential).limit).toBeGreaterThan(limit);
});

test('a request that is sent again is logged without its query, and by 100 characters of its path', async () => {
	const lines = logLines();
	jest.spyOn(Math, 'random').mockReturnValue(0.1);
	sandbox.setFaults({ rules: [{ fault: 'http503', method: 'GET', count: 1 }] });
	const path = `/v1/voip/dss/gtw/${'9'.repeat(100)}`;
	const context = { ...contextOf(new RunLimit(1)), maxRetries: 2 };
	const result = await sendWithRetry(context, { ...getGateway, path: `${path}?key=secret` },
		({ status }) => (status < 500 ? 'sent again' : undefined));
	expect(result).toEqual({ value: 'sent again' });
	expect(lines).toContain(`Voice Admin: GET ${path.slice(0, 100)} failed (service_error), attempt 1 of 3; retry in 25 ms`);
	expect(lines.join()).not.toContain('secret');
});

test.each([[false, 12], [true,
	25]])('a connection that breaks lowers the limit of its key, unless its run was closed before: %s', async (isClosed, limit) => {
	const run = new RunLimit(1);
	const service = await startService((_request, response) => {
		if (isClosed) run.close();
		response.destroy();
	});
	const credential = parseCredential(credentialFor(service.url));
	await sendWithRetry({ ...contextOf(run), credential }, getGateway, () => undefined);
	expect(limiterOf(credential).limit).toBe(limit);
});

test('a request whose token is replaced each time that it is sent is given up after 30 times', async () => {
	const service = await startService((_request, response) => {
		tokenManagerOf(credential).forget();
		json(response, 401, { message: 'Expired', errors: '' });
	});
	const credential = parseCredential(credentialFor(service.url));
	const result = await sendWithRetry({ ...contextOf(new RunLimit(1)), credential }, getGateway, () => undefined);
	expect(result).toMatchObject({ failure: { message: 'Expired', code: 'unauthorized' } });
	expect([service.requests.length, service.logins.length]).toEqual([31, 31]);
});

test('no permit is held while a request waits for a login', async () => {
	sandbox.setFaults({ rules: [{ fault: 'latency', path: '/auth', ms: 300 }] });
	const run = new RunLimit(1);
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

test('a request that waits fails, as not sent, when the service has only asked to wait for three minutes', async () => {
	const context = contextOf(new RunLimit(1));
	const limiter = limiterOf(context.credential);
	expect(await sendWithRetry(context, getGateway, () => 'with a token')).toEqual({ value: 'with a token' });
	// The only permit of its run.
	const held = await context.run.acquire(limiter);
	const skip = aheadClock();
	const pause = { ms: 60_000, isForKey: true };
	for (let minute = 0; minute < 3; minute++, skip(60_000)) (await new RunLimit(1).acquire(limiter))!.release('dropped', pause);
	// Sent before the request begins to wait, and answered after it.
	const last = await new RunLimit(1).acquire(limiter);
	const result = sendWithRetry(context, getGateway, () => undefined);
	last!.release('dropped', pause);
	held?.release('ignore');
	expect(await result).toEqual({
		failure: {
			message: 'For three minutes the service has answered only 429 or 503 with Retry-After. Try again later',
			description: 'The request was not sent',
			code: 'rate_limited',
			outcome: 'not_sent',
		},
	});
});
