import { isWorthRetrying, waitBeforeRetry } from '../../nodes/VoiceAdmin/transport/flow/retryPolicy';

describe('what is worth sending again', () => {
	test.each([429, 502, 503, 504, undefined])('a GET or PUT after %s', (status) => {
		expect([isWorthRetrying('GET', status), isWorthRetrying('PUT', status)]).toEqual([true, true]);
	});

	test.each([200, 400, 401, 403, 404, 500, 501])('not a GET or PUT after %i', (status) => {
		expect([isWorthRetrying('GET', status), isWorthRetrying('PUT', status)]).toEqual([false, false]);
	});

	test.each([500, 502, 503, 504, undefined])('never a POST after %s', (status) => {
		expect(isWorthRetrying('POST', status)).toBe(false);
	});

	test('a POST after 429, which says that it was not looked at', () => {
		expect(isWorthRetrying('POST', 429)).toBe(true);
	});
});

describe('how long to wait', () => {
	const now = Date.parse('2026-01-01T00:00:00Z');

	test.each([
		['seconds', '7', 7_000],
		['a date', 'Thu, 01 Jan 2026 00:00:20 GMT', 20_000],
		['a date that is past', 'Wed, 31 Dec 2025 00:00:00 GMT', 0],
		['more than a minute', '3600', 60_000],
		['zero', '0', 0],
	])('Retry-After in %s', (_name, header, expected) => {
		expect(waitBeforeRetry(1, header, now)).toBe(expected);
	});

	test.each([undefined, '', 'soon', 12])('a Retry-After of %j is ignored', (header) => {
		expect(waitBeforeRetry(1, header, now)).toBeLessThanOrEqual(250);
	});

	test('otherwise anything up to 250 ms, doubled with each try, and never more than 10 s', () => {
		const longest = (tries: number) =>
			Math.max(...Array.from({ length: 2_000 }, () => waitBeforeRetry(tries)));
		expect(longest(1)).toBeGreaterThan(200);
		expect(longest(1)).toBeLessThanOrEqual(250);
		expect(longest(3)).toBeGreaterThan(800);
		expect(longest(3)).toBeLessThanOrEqual(1_000);
		expect(longest(30)).toBeLessThanOrEqual(10_000);
	});
});
