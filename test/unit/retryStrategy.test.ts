import type { CircuitBreaker } from '../../nodes/VoiceAdmin/transport/flow/circuitBreaker';
import { time } from '../../nodes/VoiceAdmin/transport/flow/time';
import type { Classification } from '../../nodes/VoiceAdmin/transport/http/classify';
import { backoffDelay, RetryStrategy } from '../../nodes/VoiceAdmin/transport/retryStrategy';

let now: number;

beforeEach(() => {
	now = 1_000;
	jest.spyOn(time, 'now').mockImplementation(() => now);
	jest.spyOn(time, 'random').mockReturnValue(0.5);
});
afterEach(() => jest.restoreAllMocks());

/** A failure: that its service is away, unless it is said otherwise, of a request that may be repeated. */
const failure = (more: Partial<Classification> = {}): Classification =>
	({ code: 'service_error', outcome: 'unknown', isRetryable: true, signal: 'unavailable', ...more });

const RATE_LIMITED = failure({ outcome: 'not_done', signal: 'rateLimited' });
const MAY_PASS = failure({ signal: 'success' });

/** What the limiter knows when attempt 1, 2 … has failed, whose numbers are 10, 20 … */
type Known = { outage?: object; lastOutage?: object; lastAnsweredNumber?: number; failuresEach?: number; isPaced?: boolean };

/** The delays before the attempts that follow; time passes by a second with each failure. */
function delays(failed: Classification[], known: Known, maxRetries: number, maxWaitMs: number): Array<number | undefined> {
	const { failuresEach = 1, isPaced = false } = known;
	const breaker = { lastAnsweredNumber: 0, failedCount: 0, ...known } as CircuitBreaker;
	const strategy = new RetryStrategy({ flow: { breaker, isPaced } }, maxRetries, maxWaitMs);
	return failed.map((each, index) => {
		strategy.attempts++;
		now += 1_000;
		breaker.failedCount += failuresEach - 1;
		strategy.saysNothingOfService(each, 10 * (index + 1));
		breaker.failedCount++;
		return strategy.nextDelay(each);
	});
}

const AWAY: Known = { outage: {} };
const times = (count: number, each: Classification) => Array<Classification>(count).fill(each);

test.each<[string, Array<number | undefined>, Classification[], Known?, number?, number?]>([
	['is not to be sent again', [undefined], [failure({ isRetryable: false })], AWAY],
	['waits for its service', Array(10).fill(0), times(10, failure()), AWAY],
	['waits for its service, for as long as Max Wait', [0, 0, 0, undefined], times(4, failure()), AWAY, 3, 3_000],
	['had a 429, with no retries', Array(10).fill(0), times(10, RATE_LIMITED), AWAY, 0],
	['was not sent, with no retries', [0, 0], times(2, failure({ outcome: 'not_sent' })), AWAY, 0],
	['may have been done, with no retries', [undefined], [failure()], AWAY, 0],
	['failed before that was known to be an outage', [50, 100, 200, 400], times(4, failure())],
	['fails while others that are sent later are answered', [50, 100, 200, undefined], times(4, failure()), { lastAnsweredNumber: 15 }],
	['fails so, as others do', [500, 1_000, 2_000, undefined], times(4, failure()), { lastAnsweredNumber: 15, failuresEach: 2 }],
	['fails so, as others do, where the service limits requests', [50, 100, 200, 400, 800], times(5, failure()), { lastAnsweredNumber: 15, failuresEach: 2, isPaced: true }],
	['fails so, alone, where the service limits requests', [500, 1_000, 2_000, undefined], times(4, failure()), { lastAnsweredNumber: 15, failuresEach: 1, isPaced: true }],
	['fails so after an outage', [50, 100, 200, undefined], times(4, failure()), { lastAnsweredNumber: 15, lastOutage: { lastNumberAtNews: 5 } }],
	['failed in an outage, and then again', [50, 100, 50, 100, 200, undefined], times(6, failure()), { lastAnsweredNumber: 25, lastOutage: { lastNumberAtNews: 12 } }],
	['failed otherwise in a way that may pass', [50, 100, 200, undefined], times(4, MAY_PASS)],
	['failed so, and the service asks to wait', [7_000, 7_000, 7_000, undefined], times(4, { ...MAY_PASS, retryAfterMs: 7_000 })],
	['failed so, and the service asks to wait for nothing', [50], [{ ...MAY_PASS, retryAfterMs: 0 }]],
])('a request that %s: the delays %j', (_what, expected, failed, known = {}, maxRetries = 3, maxWaitMs = 60_000) => {
	expect(delays(failed, known, maxRetries, maxWaitMs)).toEqual(expected);
});

describe('a request that is answered 429', () => {
	/** The delays, where that many others have been answered 429 and otherwise by the time of each; and whether it says nothing of the service. */
	function rejected(known: Array<{ rejected: number; lastAnswered: number }>, more: Partial<Classification> = {}, maxWaitMs = 60_000) {
		const breaker = { outage: {} } as unknown as CircuitBreaker;
		const strategy = new RetryStrategy({ flow: { breaker, isPaced: false } }, 0, maxWaitMs);
		const each = { ...RATE_LIMITED, ...more };
		return known.map(({ rejected, lastAnswered }, index) => {
			strategy.attempts++;
			now += 1_000;
			Object.assign(breaker, { failedCount: rejected - 1, lastAnsweredNumber: lastAnswered });
			const saysNothing = strategy.saysNothingOfService(each, 10 * (index + 1));
			if (!saysNothing) Object.assign(breaker, { failedCount: rejected });
			return [strategy.nextDelay(each), saysNothing];
		});
	}
	const answered = (...counts: number[]) => counts.map((rejected, index) => ({ rejected, lastAnswered: 10 * index + 5 }));
	const alone = answered(1, 2, 3, 3);

	test('alone, for the third time, holds nobody else, and is sent again after a second and more', () => {
		expect(rejected(alone)).toEqual([[0, false], [0, false], [1_000, true], [1_000, true]]);
	});

	test('alone, and the service asks to wait, holds others too, and itself for no shorter', () => {
		expect(rejected(answered(1, 2, 3, 4), { retryAfterMs: 7_000 })).toEqual([[0, false], [0, false], [7_000, false], [7_000, false]]);
	});

	test('alone is not sent again when it may not wait for so long', () => {
		expect(rejected(alone, {}, 3_000)).toEqual([[0, false], [0, false], [undefined, true], [undefined, true]]);
	});

	test('as others are, or while nobody is answered, waits for the service', () => {
		expect(rejected(answered(1, 2, 4, 5, 7, 8))).toEqual(Array(6).fill([0, false]));
		expect(rejected(alone.map(({ rejected }) => ({ rejected, lastAnswered: 5 })))).toEqual(Array(4).fill([0, false]));
	});
});

test('the backoff is a random part of 100 ms, doubled with each attempt, and never more than 10 s', () => {
	const longest = [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000];
	for (const random of [0, 0.5, 1]) {
		jest.spyOn(time, 'random').mockReturnValue(random);
		expect([1, 2, 3, 4, 5, 6, 7, 8, 30].map(backoffDelay)).toEqual(longest.map((ms) => ms * random));
	}
});
