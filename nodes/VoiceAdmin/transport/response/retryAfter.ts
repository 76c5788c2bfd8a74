import { time } from '../../time';

/** Longer than any service means, in milliseconds: a week. */
const MAX_RETRY_AFTER_MS = 7 * 24 * 3_600_000;

/** From this number on (2001), it is a Unix time, not a delay in seconds. */
const FIRST_UNIX_TIME = 1_000_000_000;

/**
 * Parses a `Retry-After` header: seconds or an HTTP date (RFC 9110, 10.2.3); also decimals and a Unix time, as some services send them.
 * @param date the response's `Date`, as the service's clock may differ
 * @returns milliseconds; undefined if missing, invalid or over a week
 */
export function parseRetryAfter(header: unknown, date?: unknown): number | undefined {
	if (typeof header !== 'string') return undefined;
	const sentAt = typeof date === 'string' ? Date.parse(date) : Number.NaN;
	const now = Number.isNaN(sentAt) ? time.timeOfDay() : sentAt;
	const seconds = /^\s*[0-9]+(?:\.[0-9]+)?\s*$/.test(header) ? Number(header) : Number.NaN;
	// Date.parse accepts much that is no date, e.g. "1.5".
	const at =
		seconds >= FIRST_UNIX_TIME ? seconds * 1_000 : /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN;
	const ms = Number.isNaN(at) ? Math.ceil(seconds) * 1_000 : at - now;
	return ms <= MAX_RETRY_AFTER_MS ? Math.max(0, ms) : undefined;
}
