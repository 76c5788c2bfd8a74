import type { CircuitBreaker } from '../../nodes/VoiceAdmin/transport/flow/circuitBreaker';
import { time } from '../../nodes/VoiceAdmin/transport/flow/time';
import type { Classification } from '../../nodes/VoiceAdmin/transport/http/classify';
import { backoffDelay, Resending } from '../../nodes/VoiceAdmin/transport/resending';

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
type Known = { outage?: object; lastOutage?: object; lastAnswered?: number };

/** The delays before the attempts that follow; time passes by a second with each failure. */
function delays(failed: Classification[], known: Known, maxRetries: number, maxWaitMs: number): Array<number | undefined> {
	const resending = new Resending({ breaker: { lastAnswered: 0, ...known } as CircuitBreaker }, maxRetries, maxWaitMs);
	return failed.map((each, index) => {
		resending.sends++;
		now += 1_000;
		return resending.delayAfter(each, 10 * (index + 1));
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
	['fails while others that are sent later are answered', [50, 100, 200, undefined], times(4, failure()), { lastAnswered: 15 }],
	['fails so after an outage', [50, 100, 200, undefined], times(4, failure()), { lastAnswered: 15, lastOutage: { sentBefore: 5 } }],
	['failed in an outage, and then again', [50, 100, 50, 100, 200, undefined], times(6, failure()), { lastAnswered: 25, lastOutage: { sentBefore: 12 } }],
	['failed otherwise in a way that may pass', [50, 100, 200, undefined], times(4, MAY_PASS)],
	['failed so, and the service asks to wait', [7_000, 7_000, 7_000, undefined], times(4, { ...MAY_PASS, retryAfterMs: 7_000 })],
	['failed so, and the service asks to wait for nothing', [50], [{ ...MAY_PASS, retryAfterMs: 0 }]],
])('a request that %s: the delays %j', (_what, expected, failed, known = {}, maxRetries = 3, maxWaitMs = 60_000) => {
	expect(delays(failed, known, maxRetries, maxWaitMs)).toEqual(expected);
});

test('a request whose token is not accepted is sent 30 times more', () => {
	const resending = new Resending({ breaker: {} as CircuitBreaker }, 0, 0);
	expect(Array.from({ length: 31 }, () => resending.mayChangeToken())).toEqual([...Array(30).fill(true), false]);
});

test('the backoff is a random part of 100 ms, doubled with each attempt, and never more than 10 s', () => {
	const longest = [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000];
	for (const random of [0, 0.5, 1]) {
		jest.spyOn(time, 'random').mockReturnValue(random);
		expect([1, 2, 3, 4, 5, 6, 7, 8, 30].map(backoffDelay)).toEqual(longest.map((ms) => ms * random));
	}
});
