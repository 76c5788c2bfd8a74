import { time } from '../flow/time';

/** Longest first delay, in milliseconds; it doubles with each further attempt. */
const BASE_DELAY_MS = 250;

/** Longest delay of our own choosing, in milliseconds. */
const MAX_DELAY_MS = 10_000;

/** Longest wait that a `Retry-After` header is obeyed for, in milliseconds. */
const MAX_RETRY_AFTER_MS = 60_000;

/** What the policy needs to know of a failed attempt. */
interface FailedAttempt {
	isRetryable: boolean;
	/** What the service's `Retry-After` asks for, in milliseconds. */
	retryAfterMs?: number;
}

/**
 * Decides whether a request is sent again after its so many-th attempt, and when: milliseconds, or undefined for not.
 * A `Retry-After` of 0 is no delay to obey: services round down to it, and retries at once would all be used up in it.
 */
export function retryDelay({ isRetryable, retryAfterMs }: FailedAttempt, attempt: number, maxRetries: number): number | undefined {
	return isRetryable && attempt <= maxRetries ? retryAfterMs || backoffDelay(attempt) : undefined;
}

/** Exponential backoff with full jitter, in milliseconds: requests that failed together do not come back together. */
export function backoffDelay(attempt: number): number {
	return time.random() * Math.min(BASE_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS);
}

/**
 * Reads a `Retry-After` header: seconds or an HTTP date (RFC 9110, section 10.2.3). Some services write fractions of a second.
 * @param date the response's `Date`, as the service's clock may be another
 * @returns milliseconds, at most 60,000; undefined when it is missing or cannot be read
 */
export function parseRetryAfter(header: unknown, date?: unknown): number | undefined {
	if (typeof header !== 'string') return undefined;
	const isSeconds = /^\s*[0-9]+(?:\.[0-9]+)?\s*$/.test(header);
	const sentAt = typeof date === 'string' ? Date.parse(date) : Number.NaN;
	const now = Number.isNaN(sentAt) ? time.timeOfDay() : sentAt;
	// Date.parse accepts much that is no date, such as "1.5".
	const isDate = /^[A-Z][a-z]{2}/.test(header);
	const ms = isSeconds ? Math.ceil(Number(header)) * 1_000 : isDate ? Date.parse(header) - now : Number.NaN;
	return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS);
}
