/** First wait before a retry, in milliseconds; it doubles with each further one. */
const FIRST_WAIT_MS = 250;

/** Longest wait of our own choosing, in milliseconds. */
const LONGEST_WAIT_MS = 10_000;

/** Longest wait that a `Retry-After` header is obeyed for, in milliseconds. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** Statuses after which a request that changes nothing, or the same again, is worth repeating. */
const PASSING = [429, 502, 503, 504];

/**
 * Whether a request is worth sending again.
 *
 * @param method a POST creates something, so it is repeated only when the service says that it did
 * not look at it (429)
 * @param status of the reply; undefined when the connection broke before there was one
 */
export function isWorthRetrying(method: string, status: number | undefined): boolean {
	if (method === 'POST') return status === 429;
	return status === undefined || PASSING.includes(status);
}

/**
 * How long to wait before the next try, in milliseconds: what `Retry-After` asks for, or else
 * exponential with full jitter, so that requests that failed together do not come back together.
 *
 * @param tries how often the request has been sent so far, from 1
 * @param retryAfter the header's value: seconds or an HTTP date; at most 60 s are obeyed
 */
export function waitBeforeRetry(tries: number, retryAfter?: unknown, now = Date.now()): number {
	const asked = retryAfterMs(retryAfter, now);
	if (asked !== undefined) return Math.min(asked, LONGEST_RETRY_AFTER_MS);
	return Math.random() * Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
}

/** What a `Retry-After` header asks for, in milliseconds; none where it is missing or can't be read. */
export function retryAfterMs(header: unknown, now = Date.now()): number | undefined {
	if (typeof header !== 'string' || header.trim() === '') return undefined;
	if (/^\s*[0-9]+\s*$/.test(header)) return Number(header) * 1_000;
	// Date.parse takes much for a date that is none, such as "1.5".
	const date = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
