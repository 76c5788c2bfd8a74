import { backoffDelay, parseRetryAfter, retryDelay } from '../../nodes/VoiceAdmin/transport/http/retryPolicy';

afterEach(() => jest.restoreAllMocks());

describe('the delay before a retry', () => {
	test.each([[1, 3], [3, 3], [1, 1]])('is what the service asks for, after attempt %i with %i retries', (attempt, maxRetries) => {
		expect(retryDelay({ isRetryable: true, retryAfterMs: 7_000 }, attempt, maxRetries)).toBe(7_000);
	});

	test.each([undefined, 0])('is the backoff where the service asks for %s', (retryAfterMs) => {
		jest.spyOn(Math, 'random').mockReturnValue(0.5);
		expect([1, 2, 3].map((attempt) => retryDelay({ isRetryable: true, retryAfterMs }, attempt, 3))).toEqual([125, 250, 500]);
	});

	test.each([
		['is not retryable', { isRetryable: false, retryAfterMs: 7_000 }, 1, 3],
		['has no retries left', { isRetryable: true, retryAfterMs: 7_000 }, 4, 3],
		['is not to be retried at all', { isRetryable: true }, 1, 0],
	])('does not exist for a request that %s', (_name, failed, attempt, maxRetries) => {
		expect(retryDelay(failed, attempt, maxRetries)).toBeUndefined();
	});
});

describe('a Retry-After header', () => {
	const NOW = 'Thu, 01 Jan 2026 00:00:00 GMT';

	test.each([
		['seconds', '7', 7_000],
		['fractions of a second, rounded up', '2.25', 3_000],
		['seconds with white space around them', ' 7\t', 7_000],
		['a date', 'Thu, 01 Jan 2026 00:00:20 GMT', 20_000],
		['a past date', 'Wed, 31 Dec 2025 00:00:00 GMT', 0],
		['more than a minute', '3600', 60_000],
		['a date after more than a minute', 'Thu, 01 Jan 2026 01:00:00 GMT', 60_000],
		['more seconds than a number holds', '9'.repeat(400), 60_000],
		['zero', '0', 0],
	])('in %s is read, and capped at a minute', (_name, header, expected) => {
		expect(parseRetryAfter(header, NOW)).toBe(expected);
	});

	test.each([undefined, 'no date', 7])('is read by the time of day where the response has the date %j', (date) => {
		jest.spyOn(Date, 'now').mockReturnValue(Date.parse(NOW));
		expect(parseRetryAfter('Thu, 01 Jan 2026 00:00:20 GMT', date)).toBe(20_000);
	});

	test.each([undefined, '', ' ', 'soon', 'Soon', 12, '1.', '-1', '2026-01-01', ['7'], '1 Jan 2026 00:00:20 GMT',
		'Th, 01 Jan 2026 00:00:20 GMT'])('of %j is ignored', (header) => {
		expect(parseRetryAfter(header, NOW)).toBeUndefined();
	});
});

test('the backoff is a random part of 250 ms, doubled with each attempt, and never more than 10 s', () => {
	const longest = [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000];
	for (const random of [0, 0.5, 1]) {
		jest.spyOn(Math, 'random').mockReturnValue(random);
		expect([1, 2, 3, 4, 5, 6, 7, 30].map(backoffDelay)).toEqual(longest.map((ms) => ms * random));
	}
});
