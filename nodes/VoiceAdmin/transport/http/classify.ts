import { UserError } from 'n8n-workflow';

import type { FailureDetails, ServiceSignal } from '../flow/outage';
import { isConnectionError, isPermanent, neverConnected } from './connectionErrors';
import { type ApiResponse, isApiErrorBody } from './response';
import { parseRetryAfter } from './retryAfter';

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

/** The result of a request that was sent once: a response of whatever status; or why there is none, and whether it was on its way. */
export type AttemptResult = { response: ApiResponse } | { error: unknown; wasSent: boolean };

/** The one judgement of a failed request, which errors, retries, creates and limiter follow. `signal` is what it says of the service. */
export interface Classification extends FailureDetails {
	code: ErrorCode;
	outcome: Outcome;
	isRetryable: boolean;
	signal: ServiceSignal;
}

/** Whether the service is unavailable, or has had too many requests. */
export function isOutage({ signal }: Pick<Classification, 'signal'>): boolean {
	return signal === 'unavailable' || signal === 'rateLimited';
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

/** The longest that a 503 without the API's own error body may ask to wait, in milliseconds: as with no `Retry-After`. */
const MAX_PROXY_RETRY_AFTER_MS = 10_000;

interface Rule extends Pick<Classification, 'code' | 'outcome' | 'signal'> {
	retry: 'never' | 'idempotent' | 'always';
}

const NOT_SENT: Rule = { code: 'connection_failed', outcome: 'not_sent', retry: 'never', signal: 'ignore' };
const UNRECOGNIZED_ERROR: Rule = { ...NOT_SENT, outcome: 'unknown' };
const BROKEN_CONNECTION: Rule = { code: 'connection_failed', outcome: 'unknown', retry: 'idempotent', signal: 'unavailable' };

const REJECTED: Rule = { code: 'rejected', outcome: 'not_done', retry: 'never', signal: 'success' };

/** The time was over, and the work may go on. */
const TIMED_OUT: Rule = { ...REJECTED, outcome: 'unknown' };
const SERVICE_ERROR: Rule = { code: 'service_error', outcome: 'unknown', retry: 'never', signal: 'responded' };

/** The service is unavailable, says itself or what stands before it. */
const UNAVAILABLE: Rule = { ...SERVICE_ERROR, retry: 'idempotent', signal: 'unavailable' };

/** By the first digit of the status: a 2xx that comes here could not be read. */
const BY_CLASS: Partial<Record<number, Rule>> = {
	2: { code: 'invalid_response', outcome: 'unknown', retry: 'never', signal: 'success' },
	3: REJECTED,
	4: REJECTED,
};

/** Statuses beside 5xx that say that the time was over: of frameworks, proxies (nginx: 444, 499) and load balancers (460); or that it is too early (425). */
export const TRANSIENT_STATUSES = [408, 425, 444, 460, 499];

const BY_STATUS: Partial<Record<number, Rule>> = {
	...Object.fromEntries(TRANSIENT_STATUSES.map((status) => [status, TIMED_OUT])),
	401: { ...REJECTED, code: 'unauthorized' },
	403: { ...REJECTED, code: 'forbidden' },
	404: { ...REJECTED, code: 'not_found' },
	408: { ...TIMED_OUT, retry: 'idempotent' },
	425: { ...REJECTED, retry: 'idempotent' },
	429: { ...REJECTED, code: 'rate_limited', retry: 'always', signal: 'rateLimited' },
	// From 520 on of proxies such as Cloudflare, which got no good answer from the service.
	...Object.fromEntries([502, 503, 504, 520, 521, 522, 523, 524, 529, 530].map((status) => [status, UNAVAILABLE])),
};

/** What decides how a request is judged. */
interface ClassifiedRequest {
	method: string;
	/** What a second one would create again. */
	creates?: string;
}

/** Judges a failed request. Besides this, `judgeToken` and `login` judge a status, and `successValueOf` a response. */
export function classify(request: ClassifiedRequest, result: AttemptResult): Classification {
	const retryAfterMs = 'response' in result ? retryAfterOf(result.response) : undefined;
	const { retry, ...rule } = 'response' in result ? ruleForResponse(result.response, request, retryAfterMs) : ruleForError(result);
	const isRetryable = retry === 'always' || (retry === 'idempotent' && isIdempotent(request));
	return { ...rule, isRetryable, retryAfterMs, status: 'response' in result ? result.response.status : undefined };
}

/** Whether a request may be repeated whatever became of it: a POST may, unless it creates something. */
export function isIdempotent({ creates }: ClassifiedRequest): boolean {
	return creates === undefined;
}

/** Whether a request only reads. */
export function isSafe(request: ClassifiedRequest): boolean {
	return request.method === 'GET' && isIdempotent(request);
}

/**
 * A 503 is the service's word that it was not willing to take the request where it has `Retry-After` and the API's own body:
 * Varnish adds that header to its page when the service has broken the connection, which it may have done after its work.
 * A redirect may follow a change that was done (303: RFC 9110, 15.4.4).
 */
function ruleForResponse({ status, body }: ApiResponse, request: ClassifiedRequest, retryAfterMs: number | undefined): Rule {
	if (isRedirect(status)) return isSafe(request) ? REJECTED : { ...REJECTED, outcome: 'unknown' };
	const rule = BY_STATUS[status] ?? BY_CLASS[Math.floor(status / 100)] ?? SERVICE_ERROR;
	const isRejected = status === 503 && retryAfterMs !== undefined && isApiErrorBody(body);
	return isRejected ? { ...rule, outcome: 'not_done' } : rule;
}

function ruleForError({ error, wasSent }: Extract<AttemptResult, { error: unknown }>): Rule {
	if (error instanceof NotSentError) return { ...NOT_SENT, code: error.code };
	// n8n's own, such as an address that it does not allow: another attempt fares no better.
	if (!wasSent) return NOT_SENT;
	const rule = isConnectionError(error) ? BROKEN_CONNECTION : UNRECOGNIZED_ERROR;
	if (isPermanent(error)) return { ...rule, outcome: neverConnected(error) ? 'not_sent' : 'unknown', retry: 'never', signal: 'ignore' };
	return neverConnected(error) ? { ...rule, outcome: 'not_sent', retry: 'always', signal: 'unavailable' } : rule;
}

/** Only these two statuses give the header this meaning to a client that sends again; a proxy's page of 503 knows less. */
function retryAfterOf({ status, headers, body }: ApiResponse): number | undefined {
	if (status !== 429 && status !== 503) return undefined;
	const ms = parseRetryAfter(headers['retry-after'], headers.date);
	return ms === undefined || status === 429 || isApiErrorBody(body) ? ms : Math.min(ms, MAX_PROXY_RETRY_AFTER_MS);
}

/** The outcome of a request that was sent several times: one that may have been done stays so, whatever came after. */
export function worstOutcome(one: Outcome, other: Outcome): Outcome {
	const outcomes: Outcome[] = ['not_sent', 'not_done', 'unknown'];
	return outcomes[Math.max(outcomes.indexOf(one), outcomes.indexOf(other))]!;
}

/** Whether a status says that the request was done. */
export function isSuccess(status: number): boolean {
	return status >= 200 && status <= 299;
}

export function isRedirect(status: number): boolean {
	return status >= 300 && status <= 399;
}
