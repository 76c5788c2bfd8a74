import { parseCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
import { tokenManagerOf } from '../../nodes/VoiceAdmin/transport/auth/tokenManager';
import { limiterOf, type Permit } from '../../nodes/VoiceAdmin/transport/flow/concurrencyLimiter';
import type { OutageCause } from '../../nodes/VoiceAdmin/transport/flow/circuitBreaker';
import { Run } from '../../nodes/VoiceAdmin/transport/flow/run';
import { time } from '../../nodes/VoiceAdmin/time';
import type { ApiRequest } from '../../nodes/VoiceAdmin/transport/apiRequest';
import type { RequestSettings } from '../../nodes/VoiceAdmin/transport/sendWithRetry';
import { sendWithRetry } from '../../nodes/VoiceAdmin/transport/sendWithRetry';
import {
	aheadClock,
	credentialFor,
	json,
	logLines,
	Polling,
	type Recorder,
	startService,
	until,
} from '../support/executor';

/** What a run sends with, by default for as long as a node's does; n8n's helpers are those of a trigger. */
function contextOf({ url }: Recorder, run = new Run(1, 120_000), maxRetries = 0): RequestSettings {
	const data = credentialFor(url);
	return {
		n8n: new Polling({ gatewayIds: '1' }, data).context,
		credential: parseCredential(data),
		timeoutMs: 60_000,
		run,
		maxRetries,
	};
}

/** Sends a request, by default for a gateway; with any other status than 200 it has failed. */
const send = async (context: RequestSettings, request: Partial<ApiRequest> = {}) =>
	await sendWithRetry(context, { method: 'GET', path: '/v1/voip/dss/gtw/1', fields: {}, ...request }, ({ status }) =>
		status === 200 ? 'done' : undefined,
	);

test('a request that is sent again is logged without its query, and by 100 characters of its path', async () => {
	const lines = logLines();
	jest.spyOn(time, 'random').mockReturnValue(0.1);
	const service = await startService((_request, response, index) => json(response, index === 0 ? 503 : 200, {}));
	const path = `/v1/voip/dss/gtw/${'9'.repeat(100)}`;
	expect(await send(contextOf(service, undefined, 2), { path, query: { key: 'secret' } })).toEqual({ value: 'done' });
	expect(lines).toContain(`Voice Admin: GET ${path.slice(0, 100)} failed (service_error), attempt 1; it is retried`);
	expect(lines.join()).not.toContain('secret');
});

test('a request whose token is replaced each time that it is sent is given up after 30 times', async () => {
	const service = await startService((_request, response) => {
		tokenManagerOf(context.credential).forget();
		json(response, 401, { message: 'Expired', errors: '' });
	});
	const context = contextOf(service);
	expect(await send(context)).toMatchObject({ failure: { message: 'Expired', code: 'unauthorized' } });
	expect([service.requests.length, service.logins.length]).toEqual([31, 31]);
});

test('after the failure that stops a run, not even the request is sent that waits for its permit', async () => {
	const service = await startService((_request, response) => json(response, 400, {}));
	const context = contextOf(service, new Run(1, 120_000, true));
	expect(await Promise.all([send(context), send(context)])).toMatchObject([
		{ failure: { code: 'rejected' } },
		{ stopped: 'not_sent' },
	]);
	expect(service.requests).toHaveLength(1);
});

test('no permit is held while a request waits for a login', async () => {
	let refuse = (): void => undefined;
	const service = await startService(
		() => {},
		(_request, response) => (refuse = () => json(response, 401, {})),
	);
	const run = new Run(1, 120_000);
	const sending = send(contextOf(service, run));
	await until(() => service.logins.length > 0, 'the login is under way');
	expect(run.inFlight).toBe(0);
	refuse();
	expect(await sending).toMatchObject({ failure: { code: 'login_failed', outcome: 'not_sent' } });
});

test.each<[OutageCause, number | undefined, string, string]>([
	['rateLimited', 429, 'last returned 429, and has accepted no such request for', 'rate_limited'],
	['unavailable', 502, 'last returned 502, and has accepted no such request for', 'service_error'],
	['unavailable', undefined, 'has not responded for', 'connection_failed'],
])('a request that was not sent for as long as it may wait says why: %s, %s', async (cause, status, words, code) => {
	const service = await startService((_request, response) => json(response, 200, {}));
	const context = contextOf(service, new Run(1, 50_000));
	expect(await send(context)).toEqual({ value: 'done' });
	const skip = aheadClock();
	const permit = (await limiterOf(context.credential).acquire(new Run(1, 120_000), { kind: 'create' })) as Permit;
	// Longer than this machine takes until it skips the wait.
	permit.report(cause, { status, retryAfterMs: 40_000 });
	const result = send(context);
	// Otherwise it would be sent, to find out whether the service is back.
	context.run.inFlight = 1;
	skip(50_000);
	const message = `The service ${words} 50 seconds${code === 'service_error' ? '' : '. Try again later'}`;
	expect(await result).toMatchObject({
		failure: { message, description: expect.stringMatching(/^The request was not sent/), code, outcome: 'not_sent' },
	});
	expect(service.requests).toHaveLength(1);
});

test('a request that was sent, and waits for its service for as long as it may, fails with the last answer', async () => {
	const service = await startService((_request, response) => json(response, 503, { message: 'Busy', errors: '' }));
	expect(await send(contextOf(service, new Run(1, 1_000), 1))).toMatchObject({
		failure: {
			message: 'Busy',
			code: 'service_error',
			outcome: 'unknown',
			description: expect.stringContaining('The request waited for the service for 1 second'),
		},
	});
	// More often than it has retries.
	expect(service.requests.length).toBeGreaterThan(2);
});

test('a request whose key is refused while it waits for its service says so', async () => {
	const service = await startService(
		(_request, response) => {
			tokenManagerOf(context.credential).forget();
			json(response, 429, {});
		},
		(_request, response, index) =>
			index === 0 ? json(response, 200, { access_token: 'token' }) : json(response, 401, {}),
	);
	const context = contextOf(service);
	expect(await send(context)).toMatchObject({
		failure: {
			message: expect.stringMatching(/^The service did not accept the API key/),
			code: 'login_failed',
			outcome: 'not_done',
		},
	});
});

test('after a create that failed for want of its service, the next one is sent after a login, and once', async () => {
	const service = await startService((_request, response, index) => json(response, index === 0 ? 502 : 200, {}));
	const add = async () =>
		await send(contextOf(service), { method: 'POST', path: '/v1/customers/add', body: {}, creates: 'customer' });
	expect([await add(), await add()]).toEqual([
		{ failure: expect.objectContaining({ outcome: 'unknown' }) },
		{ value: 'done' },
	]);
	expect(service.arrived).toEqual([
		'POST /auth/api-key/login',
		'POST /v1/customers/add',
		'POST /auth/api-key/login',
		'POST /v1/customers/add',
	]);
});

test('a run that may not wait sends the request that finds out that the service is back', async () => {
	const service = await startService((_request, response) => json(response, 200, {}));
	const context = contextOf(service, new Run(1, 0));
	expect(await send(context)).toEqual({ value: 'done' });
	const skip = aheadClock();
	const permit = (await limiterOf(context.credential).acquire(new Run(1, 0), { kind: 'create' })) as Permit;
	permit.report('unavailable', { status: 502 });
	permit.release();
	expect(await send(contextOf(service, new Run(1, 0)))).toMatchObject({ failure: { outcome: 'not_sent' } });
	skip(2_000);
	expect(await send(contextOf(service, new Run(1, 0)))).toEqual({ value: 'done' });
});

test('a Retry-After of ten minutes is kept when nothing was sent for more than one', async () => {
	const service = await startService((_request, response) => json(response, 200, {}));
	const context = contextOf(service);
	expect(await send(context)).toEqual({ value: 'done' });
	const skip = aheadClock();
	const permit = (await limiterOf(context.credential).acquire(new Run(1, 0), { kind: 'repeatable' })) as Permit;
	permit.report('rateLimited', { status: 429, retryAfterMs: 600_000 });
	permit.release();
	skip(61_000);
	expect(await send(contextOf(service))).toMatchObject({ failure: { code: 'rate_limited', outcome: 'not_sent' } });
	expect(service.requests).toHaveLength(1);
});

test('a request that met a 429 waits for its service in an outage, like any other', async () => {
	let others: Promise<unknown> = Promise.resolve();
	const service = await startService(({ target }, response, index) => {
		if (!target.endsWith('/1')) return json(response, 200, {});
		if (index > 0) return json(response, index < 6 ? 503 : 200, {});
		json(response, 429, {});
		others = send(contextOf(service), { path: '/v1/voip/dss/gtw/2' });
	});
	expect(await send(contextOf(service, undefined, 1))).toEqual({ value: 'done' });
	expect(await others).toEqual({ value: 'done' });
});
