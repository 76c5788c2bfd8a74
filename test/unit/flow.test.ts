import { CircuitBreaker } from '../../nodes/VoiceAdmin/transport/flow/circuitBreaker';
import type { Permit } from '../../nodes/VoiceAdmin/transport/flow/concurrencyLimiter';
import { FairQueue, type QueuedRequest, type RequestKind } from '../../nodes/VoiceAdmin/transport/flow/fairQueue';
import { OutageDetector } from '../../nodes/VoiceAdmin/transport/flow/outageDetector';
import { RequestPacer } from '../../nodes/VoiceAdmin/transport/flow/requestPacer';
import { Run } from '../../nodes/VoiceAdmin/transport/flow/run';
import { type ServiceHealth, ServiceMonitor } from '../../nodes/VoiceAdmin/transport/flow/serviceMonitor';
import { type RetriedRequest, RetryStrategy } from '../../nodes/VoiceAdmin/transport/retryStrategy';
import { time } from '../../nodes/VoiceAdmin/time';

let now = 0;
beforeEach(() => {
	now = 0;
	jest.spyOn(time, 'now').mockImplementation(() => now);
	jest.spyOn(time, 'random').mockReturnValue(0);
});
afterEach(() => jest.restoreAllMocks());

/** A breaker with two requests in flight, of which the first has opened it, and how to send further ones. */
function openBreaker(retryAfterMs?: number) {
	const breaker = new CircuitBreaker();
	const send = (number: number) => {
		const sent = { number, sentAt: now };
		breaker.recordSent(sent);
		return sent;
	};
	const [first, second] = [send(1), send(2)];
	breaker.recordFailure(first, 'unavailable', { status: 502, retryAfterMs });
	return { breaker, send, second };
}

test.each([
	['none was there', 0, 45_000],
	['one waited', 1, 0],
])(
	'an outage of 45 seconds during which %s (of %i) counts from %i ms on, as of the waits of runs',
	(_what, waiting, startedAt) => {
		const { breaker } = openBreaker();
		for (let count = 0; count < waiting; count++) breaker.recordArrival();
		now = 45_000;
		breaker.recordArrival();
		expect(breaker.outage).toMatchObject({ startedAt });
	},
);

test.each([
	[59_000, 0],
	[61_000, 61_000 + 60_000],
])(
	'a failure after a login continues the outage if its request was sent at %i ms, however long it took',
	(sentAt, startedAt) => {
		const { breaker, send } = openBreaker();
		breaker.recordResponse(send(3), true);
		now = sentAt;
		const slow = send(4);
		now = sentAt + 60_000;
		breaker.recordFailure(slow, 'unavailable', {});
		expect(breaker.outage).toMatchObject({ startedAt });
	},
);

test.each([
	['goes on while creates wait, even if other requests are answered', 1, 0],
	['begins again with the next create, even if other requests came before it', 0, 60_000],
])('an outage of creates %s', (_what, waiting, startedAt) => {
	const monitor = new ServiceMonitor(() => {});
	const send = (kind: 'create' | 'repeatable', health: 'healthy' | 'unavailable') => {
		monitor.recordArrival(kind);
		monitor.record(monitor.recordSent({ kind }), health, { mayBeDone: true });
		monitor.recordReleased(kind);
	};
	send('create', 'unavailable');
	for (let count = 0; count < waiting; count++) monitor.recordArrival('create');
	for (now = 1_000; now < 60_000; now += 1_000) send('repeatable', 'healthy');
	send('create', 'unavailable');
	expect(monitor.lastOutagesOf('create')[0]).toMatchObject({ startedAt, failedAt: now });
});

test('a login that fails otherwise than the outage probes no more until another request gets a response', async () => {
	const monitor = new ServiceMonitor(() => {});
	const create = monitor.recordSent({ kind: 'create' });
	monitor.record(create, 'unavailable', { mayBeDone: true });
	const { probes } = monitor;
	expect(probes.choice.mayLogIn).toBe(true);
	await probes.probeByLogin(async () => true);
	expect(probes.choice.mayLogIn).toBe(false);
	const probe = monitor.recordSent({ kind: 'repeatable' });
	monitor.record(probe, 'healthy', {});
	monitor.record(monitor.recordSent({ kind: 'create' }), 'unavailable', { mayBeDone: true });
	expect(probes.choice.mayLogIn).toBe(true);
});

test('only logins that failed otherwise in this outage, and not in an earlier one, let a create probe', () => {
	const monitor = new ServiceMonitor(() => {});
	const record = (kind: RequestKind, health: ServiceHealth) =>
		monitor.record(monitor.recordSent({ kind }), health, { mayBeDone: true });
	record('create', 'unavailable');
	record('login', 'rateLimited');
	expect(monitor.probes.choice.preferences).toHaveLength(3);
	record('repeatable', 'healthy');
	now = 5_000;
	record('create', 'unavailable');
	expect(monitor.probes.choice.preferences).toHaveLength(1);
});

test('a login, which is for all runs, leaves its run its turn', () => {
	const queue = new FairQueue<{ request: QueuedRequest; run: object }>();
	const [first, second] = [{}, {}];
	queue.add({ run: first, request: { kind: 'create' } });
	queue.add({ run: second, request: { kind: 'repeatable' } });
	queue.add({ run: first, request: { kind: 'login' } });
	queue.take(({ request: { kind } }) => kind === 'login');
	expect(queue.take(() => true)?.run).toBe(first);
});

test('the result of an older probe releases none beside the one in flight', () => {
	const { breaker, send } = openBreaker();
	now = 500;
	const older = send(3);
	now = 5_000;
	send(4);
	breaker.recordInconclusive(older);
	expect(breaker.delayMs).toBe(4_500);
});

test('a request that nothing responds to is sent again Max Retries times, even if Max Wait is over', () => {
	const run = new Run(1, 10_000);
	const strategy = new RetryStrategy({ kind: 'repeatable', run, maxRetries: 2 } as RetriedRequest);
	const failed = {
		result: { error: new Error('timeout'), wasSent: true },
		classification: { health: 'unavailable', code: 'connection_failed', outcome: 'unknown', isTransient: true },
	} as const;
	const permit: Permit = { report: () => 'undecided', release: () => {} };
	const isRetried = [15_000, 30_000, 45_000, 60_000].map((at) => {
		now = at;
		return strategy.scheduleRetry(failed, { token: '', sentAt: now }, permit) !== undefined;
	});
	expect(isRetried).toEqual([true, true, true, false]);
});

test('a 429 with Retry-After of a request that was sent before an outage prolongs it, and makes it no limit', () => {
	const { breaker, send, second } = openBreaker();
	const probe = send(3);
	breaker.recordFailure(second, 'rateLimited', { status: 429, retryAfterMs: 9_000 });
	breaker.recordResponse(probe, false);
	expect([breaker.outage, breaker.delayMs]).toEqual([expect.objectContaining({ cause: 'unavailable' }), 9_000]);
});

test('an outage of which a probe got a 429 was an outage all the same, after which few requests are sent at once', () => {
	const { breaker, send } = openBreaker();
	const [probe] = [send(3), send(4)];
	breaker.recordFailure(probe, 'rateLimited', { status: 429 });
	expect(breaker.recordResponse(send(5), false)).toMatchObject({ cause: 'rateLimited', wasUnavailable: true });
});

test('a rejection of a request that was sent before the last slow-down slows nothing down', () => {
	const pacer = new RequestPacer();
	const [lateNumber, count] = [1, 40];
	for (let number = 1; number <= count; number++) pacer.recordSent(number);
	for (let number = 2; number <= count; number++) pacer.recordFailure(number, 429);
	for (let number = count + 1; number <= 2 * count; number++) {
		now += 1_000;
		pacer.recordSent(number);
		pacer.recordAccepted(number);
	}
	const { rate } = pacer;
	pacer.recordFailure(lateNumber, 429);
	expect(pacer.rate).toBe(rate);
	expect(rate).toBeLessThan(1_000);
});

/** Attempts of requests, each with a letter: sent (">"), answered ("+"), failed ("-"), or failed after a login ("!"); "~": 11 seconds. */
test.each<[string, string, string]>([
	['three requests fail in a row', 'a- b- c-', 'undecided undecided service'],
	['one request fails three times in a row', 'a- a- a-', 'undecided undecided service'],
	['another one, sent after it had failed, is answered', 'a- b+ a-', 'undecided request'],
	['another one, sent before it failed, is answered', 'b> a> b+ a- a-', 'undecided undecided'],
	[
		'another one, sent before it failed and after it, is answered',
		'a> b> b+ a- a- a- a-',
		'request undecided undecided service',
	],
	['it is alone, and only logins are answered', 'b+ a- a!', 'undecided request'],
	['it was alone before, and only logins are answered', 'a- b+ a- a!', 'undecided request request'],
	[
		'it was alone before, and nothing is answered since',
		'a- b+ a- a- a- a-',
		'undecided request undecided undecided service',
	],
	['it was alone when it first failed, eleven seconds ago', 'b+ a- ~ a!', 'undecided request'],
	['it was alone before, but no longer is', 'a- b+ a- c- a!', 'undecided request undecided undecided'],
	['it is not alone, and only logins are answered', 'b+ a- c!', 'undecided undecided'],
	['it was one of several that failed in a row', 'a- b- c- d+ c-', 'undecided undecided service undecided'],
	['as many others fail, once each', 'b- x+ c- x+ d- x+ e- x+ a- x+ a-', `${'undecided '.repeat(5)}random`],
])('what fails if %s', (_name, events, scopes) => {
	const detector = new OutageDetector();
	const requests: Record<string, { lastSent?: number }> = {};
	let sent = 0;
	const found = events.split(' ').flatMap(([letter, event]) => {
		if (letter === '~') {
			now += 11_000;
			return [];
		}
		const request = (requests[letter!] ??= {});
		const number = (request.lastSent ??= ++sent);
		if (event === '>') return [];
		delete request.lastSent;
		if (event === '+') detector.recordResponse(number);
		return event === '+'
			? []
			: [
					detector.recordFailure(request, number, {
						lastSentNumber: sent,
						isOutage: false,
						areOthersAnswered: event === '!',
					}),
				];
	});
	expect(found).toEqual(scopes.split(' '));
});
