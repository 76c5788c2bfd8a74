import { UserError } from 'n8n-workflow';

import type { LimiterSignal, Pause } from '../flow/concurrencyLimiter';
import { couldNotOpen, isConnectionError, neverConnected } from './connectionErrors';
import type { ApiResponse } from './response';
import { parseRetryAfter } from './retryPolicy';

/** Why a request failed, for a workflow to branch on; see docs/operations.md. */
export type ErrorCode =
	| 'invalid_parameter'
	| 'invalid_credential'
	| 'login_failed'
	| 'unauthorized'
	| 'forbidden'
	| 'not_found'
	| 'rate_limited'
	| 'rejected'
	| 'service_error'
	| 'connection_failed'
	| 'invalid_response';

/** Whether what was asked for has been done: it never reached the service, the service says no, or nobody knows. */
export type Outcome = 'not_sent' | 'not_done' | 'unknown';

/** A request that failed: a response that is not a good one, or none. */
export type FailedRequest =
	| { response: ApiResponse }
	/** @param wasSent whether the request was on its way */
	| { error: unknown; wasSent: boolean };

/** The one judgement of a failed request, which errors, retries, creates and limiter follow. */
export interface Classification {
	code: ErrorCode;
	outcome: Outcome;
	isRetryable: boolean;
	limiterSignal: LimiterSignal;
	/** What the service asks to wait, in milliseconds. */
	retryAfterMs?: number;
}

/** Something that is wrong before a request is sent. */
export class NotSentError extends UserError {
	constructor(
		message: string,
		readonly code: ErrorCode,
	) {
		super(message);
	}
}

/** Methods of requests that may be repeated: RFC 9110, section 9.2.2. */
const IDEMPOTENT_METHODS = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];

interface Rule extends Pick<Classification, 'code' | 'outcome' | 'limiterSignal'> {
	retry: 'never' | 'idempotent' | 'always';
}

const NOT_SENT: Rule = { code: 'connection_failed', outcome: 'not_sent', retry: 'never', limiterSignal: 'ignore' };
const NOT_UNDERSTOOD: Rule = { ...NOT_SENT, outcome: 'unknown' };
const BROKEN_CONNECTION: Rule = { code: 'connection_failed', outcome: 'unknown', retry: 'idempotent', limiterSignal: 'failed' };

/** An answer to a create: RFC 9110 (15.4.4) has 303 for one that was done. */
const REDIRECTED_CREATE: Rule = { code: 'rejected', outcome: 'unknown', retry: 'never', limiterSignal: 'success' };

const REJECTED: Rule = { code: 'rejected', outcome: 'not_done', retry: 'never', limiterSignal: 'success' };
const SERVICE_ERROR: Rule = { code: 'service_error', outcome: 'unknown', retry: 'never', limiterSignal: 'ignore' };

/** By the first digit of the status: a 2xx that comes here could not be read. */
const BY_CLASS: Partial<Record<number, Rule>> = {
	2: { code: 'invalid_response', outcome: 'unknown', retry: 'never', limiterSignal: 'success' },
	3: REJECTED,
	4: REJECTED,
};

const BY_STATUS: Partial<Record<number, Rule>> = {
	401: { ...REJECTED, code: 'unauthorized' },
	403: { ...REJECTED, code: 'forbidden' },
	404: { ...REJECTED, code: 'not_found' },
	408: { ...REJECTED, retry: 'idempotent' },
	425: { ...REJECTED, retry: 'idempotent' },
	429: { ...REJECTED, code: 'rate_limited', retry: 'always', limiterSignal: 'dropped' },
	502: { ...SERVICE_ERROR, retry: 'idempotent' },
	503: { ...SERVICE_ERROR, retry: 'idempotent', limiterSignal: 'failed' },
	504: { ...SERVICE_ERROR, retry: 'idempotent' },
	529: { ...SERVICE_ERROR, retry: 'idempotent', limiterSignal: 'failed' },
	// Of proxies such as Cloudflare, which got no good answer from the service.
	...Object.fromEntries([520, 521, 522, 523, 524, 530].map((status) => [status, { ...SERVICE_ERROR, retry: 'idempotent' }])),
};

/** Judges a failed request. Beside this, `judgeToken` and `login` judge a status, and `goodValueOf` a response. */
export function classify(method: string, failed: FailedRequest): Classification {
	const retryAfterMs = 'response' in failed ? retryAfterOf(failed.response) : undefined;
	const { retry, ...rule } = 'response' in failed ? ruleOfStatus(failed.response.status, method, retryAfterMs) : ruleOfError(failed);
	const isRetryable = retry === 'always' || (retry === 'idempotent' && IDEMPOTENT_METHODS.includes(method));
	return { ...rule, isRetryable, retryAfterMs };
}

/**
 * A proxy such as Envoy gives 503 also when the connection broke after the request was sent; with `Retry-After` it is, as a
 * 429, an answer of who was not willing to take the request.
 */
function ruleOfStatus(status: number, method: string, retryAfterMs: number | undefined): Rule {
	if (isRedirect(status) && !IDEMPOTENT_METHODS.includes(method)) return REDIRECTED_CREATE;
	const rule = BY_STATUS[status] ?? BY_CLASS[Math.floor(status / 100)] ?? SERVICE_ERROR;
	return retryAfterMs !== undefined ? { ...rule, outcome: 'not_done', limiterSignal: 'dropped' } : rule;
}

function ruleOfError({ error, wasSent }: { error: unknown; wasSent: boolean }): Rule {
	if (error instanceof NotSentError) return { ...NOT_SENT, code: error.code };
	// n8n's own, such as an address that it does not allow: another attempt fares no better.
	if (!wasSent) return NOT_SENT;
	// With too many requests, connections fail to open; an address, a proxy or a certificate may be wrong in one node alone.
	if (neverConnected(error)) return { ...BROKEN_CONNECTION, outcome: 'not_sent', retry: 'always', limiterSignal: couldNotOpen(error) ? 'failed' : 'ignore' };
	return isConnectionError(error) ? BROKEN_CONNECTION : NOT_UNDERSTOOD;
}

/** Only these two statuses give the header this meaning to a client that sends again. */
function retryAfterOf({ status, headers }: ApiResponse): number | undefined {
	return status === 429 || status === 503 ? parseRetryAfter(headers['retry-after'], headers.date) : undefined;
}

/**
 * A 429 asks all requests of the key to wait; a 503 those that are sent again, and with them their run.
 *
 * @param delay before the request is sent again, in milliseconds; undefined when it is not
 */
export function pauseOf({ code, retryAfterMs }: Classification, delay: number | undefined): Pause | undefined {
	const isForKey = code === 'rate_limited';
	return retryAfterMs && (isForKey || delay !== undefined) ? { ms: retryAfterMs, isForKey } : undefined;
}

/** The outcome of a request that was sent several times: one that may have been done stays so, whatever came after. */
export function worstOutcome(one: Outcome, other: Outcome): Outcome {
	const outcomes: Outcome[] = ['not_sent', 'not_done', 'unknown'];
	return outcomes[Math.max(outcomes.indexOf(one), outcomes.indexOf(other))]!;
}

/** Statuses beside 401 by which services say that a token has expired; 403 says as well that the key lacks a permission. */
const MAY_MEAN_EXPIRED = [403, 419, 440, 498];

/** What a response says of the request's access token; a proxy answers 429 or 5xx without having looked at it. */
export function judgeToken({ status, headers }: Pick<ApiResponse, 'status' | 'headers'>): 'accepted' | 'refused' | 'suspected' | 'unknown' {
	if (status === 401) return 'refused';
	// A redirect may lead to a page where people log in.
	if (MAY_MEAN_EXPIRED.includes(status) || (isRedirect(status) && headers.location !== undefined)) return 'suspected';
	return status === 429 || status >= 500 ? 'unknown' : 'accepted';
}

/** Whether a status says that the request was done. */
export function isSuccess(status: number): boolean {
	return status >= 200 && status <= 299;
}

export function isRedirect(status: number): boolean {
	return status >= 300 && status <= 399;
}
