import { time } from '../../nodes/VoiceAdmin/time';
import { parseRetryAfter } from '../../nodes/VoiceAdmin/transport/response/retryAfter';

const NOW = 'Thu, 01 Jan 2026 00:00:00 GMT';

test.each([
	['seconds', '7', 7_000],
	['fractions of a second, rounded up', '2.25', 3_000],
	['a date', 'Thu, 01 Jan 2026 00:00:20 GMT', 20_000],
	['a past date', 'Wed, 31 Dec 2025 00:00:00 GMT', 0],
	['a Unix time', String(Date.parse(NOW) / 1_000 + 20), 20_000],
	['ten hours', '36000', 36_000_000],
	['zero', '0', 0],
])('a Retry-After header in %s is read', (_name, header, expected) => {
	expect(parseRetryAfter(header, NOW)).toBe(expected);
});

test.each([undefined, 'no date', 7])(
	'a Retry-After header is read by the time of day where the response has the date %j',
	(date) => {
		jest.spyOn(time, 'timeOfDay').mockReturnValue(Date.parse(NOW));
		expect(parseRetryAfter('Thu, 01 Jan 2026 00:00:20 GMT', date)).toBe(20_000);
	},
);

test.each([
	undefined,
	'',
	'soon',
	12,
	'-1',
	'2026-01-01',
	['7'],
	'Th, 01 Jan 2026 00:00:20 GMT',
	// More than a week.
	'604801',
	'9'.repeat(50),
])('a Retry-After header of %j is ignored', (header) => {
	expect(parseRetryAfter(header, NOW)).toBeUndefined();
});
