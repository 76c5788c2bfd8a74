import type { CircuitBreaker } from '../../nodes/VoiceAdmin/transport/flow/circuitBreaker';
import type { RequestKind } from '../../nodes/VoiceAdmin/transport/flow/fairQueue';
import type { ServiceHealth } from '../../nodes/VoiceAdmin/transport/flow/outage';
import type { Run } from '../../nodes/VoiceAdmin/transport/flow/run';
import { time } from '../../nodes/VoiceAdmin/time';
import type { Classification } from '../../nodes/VoiceAdmin/transport/response/classifyFailure';
import { backoffDelay, RetryStrategy } from '../../nodes/VoiceAdmin/transport/retryStrategy';

let now: number;

beforeEach(() => {
	now = 1_000;
	jest.spyOn(time, 'now').mockImplementation(() => now);
	jest.spyOn(time, 'random').mockReturnValue(0.5);
});

/** A failure: that its service is away, unless it is said otherwise, of a request that may be repeated. */
const failure = (more: Partial<Classification> = {}): Classification => ({
	code: 'service_error',
	outcome: 'unknown',
	retry: 'repeatable',
	health: 'unavailable',
	...more,
});

const RATE_LIMITED = failure({ outcome: 'not_done', retry: 'always', health: 'rateLimited' });
const MAY_PASS = failure({ health: 'healthy' });

/** What the limiter knows when attempt 1, 2 … has failed, whose numbers are 10, 20 …; a list has a value for each. */
type Known = {
	outage?: object;
	lastOutage?: object;
	lastRespondedNumber?: number | number[];
	failuresEach?: number | number[];
	isPaced?: boolean;
	hasRecovered?: boolean;
};

/** For each attempt, whether it says nothing of the service, and the delay before the next one; time passes by a second with each. */
function attempts(
	failed: Classification[],
	known: Known,
	maxRetries: number,
	maxWaitMs = 60_000,
	kind: RequestKind = 'repeatable',
) {
	const { lastRespondedNumber = 0, failuresEach = 1, isPaced = false, ...more } = known;
	const breaker = { failedCount: 0, ...more } as CircuitBreaker;
	const request = { kind, limiter: { flow: { breaker, isPaced } } } as ConstructorParameters<typeof RetryStrategy>[0];
	const strategy = new RetryStrategy(request, { maxWaitMs } as Run, maxRetries);
	const at = (of: number | number[], index: number) => (typeof of === 'number' ? of : of[index]!);
	return failed.map((each, index) => {
		strategy.attempts++;
		now += 1_000;
		breaker.failedCount += at(failuresEach, index) - 1;
		breaker.lastRespondedNumber = at(lastRespondedNumber, index);
		let saysNothing = false;
		const report = (health: ServiceHealth) => {
			saysNothing = health === 'inconclusive';
			if (!saysNothing) breaker.failedCount++;
		};
		const delay = strategy.reportFailure(each, { sequenceNumber: 10 * (index + 1), report });
		return { saysNothing, delay };
	});
}

const AWAY: Known = { outage: {} };
/** Others are answered between its attempts. */
const ALONE: Known = { ...AWAY, lastRespondedNumber: [5, 15, 25, 35, 45, 55] };
const times = (count: number, each: Classification) => Array<Classification>(count).fill(each);

test.each<[string, Array<number | undefined>, Classification[], Known?, number?, number?]>([
	['is not to be sent again', [undefined], [failure({ retry: 'never' })], AWAY],
	['waits for its service', Array(10).fill(0), times(10, failure()), AWAY],
	['waits for its service, however long ago it failed first', [0, 0, 0, 0], times(4, failure()), AWAY, 3, 3_000],
	[
		'fails faster than others are answered',
		[50, 100, 50, 100, 200, undefined],
		times(6, failure()),
		{ lastRespondedNumber: [5, 5, 15, 15, 15, 15] },
	],
	['had a 429, with no retries', Array(10).fill(0), times(10, RATE_LIMITED), AWAY, 0],
	['was not sent, with no retries', [0, 0], times(2, failure({ outcome: 'not_sent' })), AWAY, 0],
	['may have been done, with no retries', [undefined], [failure()], AWAY, 0],
	['failed before that was known to be an outage', [50, 100, 200, 400], times(4, failure())],
	['failed so for longer than Max Wait', [50, 100, 200, 50, 100, undefined], times(6, failure()), {}, 2, 3_000],
	[
		'fails while others that are sent later are answered',
		[50, 100, 200, undefined],
		times(4, failure()),
		{ lastRespondedNumber: 15 },
	],
	[
		'fails so, as others do',
		[500, 1_000, 2_000, undefined],
		times(4, failure()),
		{ lastRespondedNumber: 15, failuresEach: 2 },
	],
	[
		'fails so, as others do, where the service limits requests',
		[50, 100, 200, 400, 800],
		times(5, failure()),
		{ lastRespondedNumber: 15, failuresEach: 2, isPaced: true },
	],
	[
		'fails so, alone, where the service limits requests',
		[500, 1_000, 2_000, undefined],
		times(4, failure()),
		{ lastRespondedNumber: 15, failuresEach: 1, isPaced: true },
	],
	[
		'fails so after an outage',
		[50, 100, 200, undefined],
		times(4, failure()),
		{ lastRespondedNumber: 15, lastOutage: { lastSentBeforeWait: 5 } },
	],
	[
		'failed in an outage, and then again',
		[50, 100, 50, 100, 200, undefined],
		times(6, failure()),
		{ lastRespondedNumber: 25, lastOutage: { lastSentBeforeWait: 12 } },
	],
	[
		'failed in an outage, and then again, when others were answered after it',
		[50, 100, 200, undefined],
		times(4, failure()),
		{ lastRespondedNumber: 25, lastOutage: { lastSentBeforeWait: 12 }, hasRecovered: true },
	],
	['failed otherwise in a way that may pass', [50, 100, 200, undefined], times(4, MAY_PASS)],
	[
		'failed so, and the service asks to wait',
		[7_000, 7_000, 7_000, undefined],
		times(4, { ...MAY_PASS, retryAfterMs: 7_000 }),
	],
	['failed so, and the service asks to wait for nothing', [50], [{ ...MAY_PASS, retryAfterMs: 0 }]],
	['is answered 429 alone', [0, 0, 1_000, 1_000], times(4, RATE_LIMITED), ALONE, 0],
	[
		'is answered 429 alone, and the service asks to wait',
		[0, 0, 7_000, 7_000],
		times(4, { ...RATE_LIMITED, retryAfterMs: 7_000 }),
		ALONE,
		0,
	],
	[
		'is answered 429 alone, and may not wait for so long',
		[0, 0, 1_000, 1_000, undefined],
		times(5, RATE_LIMITED),
		ALONE,
		0,
		3_000,
	],
	[
		'is answered 429 as others are',
		[...Array<number>(16).fill(0), 5_000],
		times(17, RATE_LIMITED),
		{ ...ALONE, lastRespondedNumber: 1_000, failuresEach: 2 },
		0,
	],
	[
		'is answered 429 while nobody is answered',
		Array(4).fill(0),
		times(4, RATE_LIMITED),
		{ ...AWAY, lastRespondedNumber: 5 },
		0,
	],
])('a request that %s: the delays %j', (_what, expected, failed, known = {}, maxRetries = 3, maxWaitMs?) => {
	expect(attempts(failed, known, maxRetries, maxWaitMs).map(({ delay }) => delay)).toEqual(expected);
});

test('a request that alone is answered 429 for the third time says nothing of the service, unless that asks to wait', () => {
	const saysNothing = (each: Classification) =>
		attempts(times(4, each), ALONE, 0).map((attempt) => attempt.saysNothing);
	expect(saysNothing(RATE_LIMITED)).toEqual([false, false, true, true]);
	expect(saysNothing({ ...RATE_LIMITED, retryAfterMs: 7_000 })).toEqual([false, false, false, false]);
});

test('from its second failure on, a request that fails while later ones are answered says nothing of the service', () => {
	const saysNothing = (each: Classification, known: Known) =>
		attempts(times(4, each), known, 3).map((attempt) => attempt.saysNothing);
	expect(saysNothing(failure(), { lastRespondedNumber: 15 })).toEqual([false, true, true, true]);
	expect(saysNothing(failure(), { lastRespondedNumber: 10 })).toEqual([false, false, false, false]);
	expect(saysNothing(MAY_PASS, { lastRespondedNumber: 15 })).toEqual([false, false, false, false]);
});

test('the backoff is a random part of 100 ms, doubled with each attempt, and never more than 10 s', () => {
	const longest = [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000];
	for (const random of [0, 0.5, 1]) {
		jest.spyOn(time, 'random').mockReturnValue(random);
		expect([1, 2, 3, 4, 5, 6, 7, 8, 30].map(backoffDelay)).toEqual(longest.map((ms) => ms * random));
	}
});

test.each([
	['sent again after a 429', 0, RATE_LIMITED],
	['sent again if it was not sent', 0, failure({ outcome: 'not_sent', retry: 'always' })],
	['not sent again after an outage', undefined, failure()],
	['not sent again after a 408', undefined, failure({ health: 'responded' })],
])('a create is %s', (_when, delay, failed) => {
	expect(attempts([failed], AWAY, 3, 60_000, 'create')).toMatchObject([{ delay }]);
});

describe('a request whose token may not be accepted', () => {
	/** What is asked of its token, and what follows. @param steps what the token manager says, one after the other */
	async function tokenRetryOf(
		status: number,
		outcome: Classification['outcome'],
		kind: RequestKind,
		maxRetries: number,
		steps: string[] = ['retry'],
		remainingWaitMs = 1,
	) {
		const asked: boolean[] = [];
		const tokens = {
			recordRefused: (use: object) => use,
			handleRefused: (_use: object, isCertain: boolean) => steps[asked.push(isCertain) - 1],
		};
		const request = { kind, tokens, limiter: { remainingWaitMs: () => remainingWaitMs } } as never;
		const strategy = new RetryStrategy(request, { maxWaitMs: 60_000, isStopped: false } as Run, maxRetries);
		jest.spyOn(time, 'sleep').mockResolvedValue();
		const attempt = {
			result: { response: { status, headers: { location: '/login' } } },
			classification: failure({ outcome }),
		} as never;
		const reported: string[] = [];
		const retry = strategy.planTokenRetry(
			attempt,
			{} as never,
			{ report: (health: string) => void reported.push(health) } as never,
		);
		return { retry: await retry?.(), asked, reported };
	}

	test.each<[number, Classification['outcome'], RequestKind, number, boolean[]]>([
		[401, 'not_done', 'create', 0, [true]],
		[403, 'not_done', 'create', 0, [false]],
		[302, 'unknown', 'repeatable', 1, [false]],
		// A redirect may follow a completed change.
		[302, 'unknown', 'repeatable', 0, []],
		[302, 'unknown', 'create', 1, []],
		[404, 'not_done', 'repeatable', 1, []],
		[503, 'not_done', 'repeatable', 1, []],
	])(
		'%i, %s, of a %s with %i retries: whether it is certain, where the token is asked',
		async (status, outcome, kind, maxRetries, asked) => {
			const isAsked = asked.length > 0;
			expect(await tokenRetryOf(status, outcome, kind, maxRetries)).toEqual({
				retry: isAsked || undefined,
				asked,
				reported: isAsked ? ['responded'] : [],
			});
		},
	);

	test.each<[string[], number, boolean | undefined, number]>([
		[['giveUp'], 1, undefined, 1],
		[['wait', 'wait', 'retry'], 1, true, 3],
		[['wait', 'giveUp'], 1, false, 2],
		[['wait', 'giveUp'], 0, true, 1],
	])(
		'where the token manager says %j, and its run may wait for %i ms: %s',
		async (steps, remainingWaitMs, retry, asked) => {
			expect(await tokenRetryOf(401, 'not_done', 'repeatable', 1, steps, remainingWaitMs)).toMatchObject({
				retry,
				asked: Array(asked).fill(true),
			});
		},
	);
});
