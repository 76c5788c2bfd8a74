import { UserError } from 'n8n-workflow';

import { appendSentence } from '../../text';
import type { FailureDetails } from '../flow/circuitBreaker';
import type { ServiceHealth } from '../flow/serviceMonitor';
import { isConnectionError, isPermanent, neverConnected } from './connectionErrors';
import { type ApiResponse, isApiErrorBody, isRedirect } from './readResponse';
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

/** Whether the request was carried out: it never reached the service, the service rejected it, or it is unknown. */
export type Outcome = 'not_sent' | 'not_done' | 'unknown';

/** No response, and whether the request may have left. */
export type NoResponse = { error: unknown; wasSent: boolean };

/** The result of one attempt: a response of any status, or none; with the token that it was given, if any. */
export type AttemptResult = ({ response: ApiResponse } | NoResponse) & { token?: string };

/** The one classification of a failed attempt, for errors, retries and the limiter. `health` is what it shows about the service. */
export interface Classification extends FailureDetails {
	code: ErrorCode;
	outcome: Outcome;
	/** Whether the same request may succeed later. `RetryStrategy` retries it if it can't do anything twice. */
	isTransient: boolean;
	health: ServiceHealth;
}

/** Whether requests wait for the service after such a failure: it is unavailable, or limits requests. */
export function requiresWait({ health }: Pick<Classification, 'health'>): boolean {
	return health === 'unavailable' || health === 'rateLimited';
}

/** An error before a request is sent. @param advice when to try again; also in the message, as other nodes show nothing else */
export class NotSentError extends UserError {
	constructor(
		readonly problem: string,
		readonly code: ErrorCode,
		readonly advice?: string,
	) {
		super(appendSentence(problem, advice ?? ''));
	}
}

/** Maximum `Retry-After` of a 503 without the API's own error body, in milliseconds. */
const MAX_PROXY_RETRY_AFTER_MS = 10_000;

type Rule = Pick<Classification, 'code' | 'outcome' | 'isTransient' | 'health'>;

const NOT_SENT: Rule = { code: 'connection_failed', outcome: 'not_sent', isTransient: false, health: 'inconclusive' };
const UNRECOGNIZED_ERROR: Rule = { ...NOT_SENT, outcome: 'unknown' };
const BROKEN_CONNECTION: Rule = {
	code: 'connection_failed',
	outcome: 'unknown',
	isTransient: true,
	health: 'unavailable',
};

const REJECTED: Rule = { code: 'rejected', outcome: 'not_done', isTransient: false, health: 'healthy' };

/** The service may still be working on it. */
const TIMED_OUT: Rule = { ...REJECTED, outcome: 'unknown', health: 'responded' };
const SERVICE_ERROR: Rule = { code: 'service_error', outcome: 'unknown', isTransient: false, health: 'responded' };

/** According to the service or a proxy in front of it. */
const UNAVAILABLE: Rule = { ...SERVICE_ERROR, isTransient: true, health: 'unavailable' };

/** By the first digit of the status. A 2xx gets here only if its body is not a success. */
const BY_CLASS: Partial<Record<number, Rule>> = {
	2: { code: 'invalid_response', outcome: 'unknown', isTransient: false, health: 'healthy' },
	4: REJECTED,
};

/** Time-outs of proxies (nginx: 444, 499) and load balancers (460). */
const PROXY_TIMEOUTS = [444, 460, 499];

/** Statuses besides 5xx after which the same request may succeed, apart from 429: also Request Timeout (408) and Too Early (425). */
export const TRANSIENT_STATUSES = [408, 425, ...PROXY_TIMEOUTS];

const BY_STATUS: Partial<Record<number, Rule>> = {
	...Object.fromEntries(PROXY_TIMEOUTS.map((status) => [status, TIMED_OUT])),
	// It does not show that the service can take more requests.
	401: { ...REJECTED, code: 'unauthorized', health: 'responded' },
	403: { ...REJECTED, code: 'forbidden' },
	404: { ...REJECTED, code: 'not_found' },
	408: { ...TIMED_OUT, isTransient: true },
	425: { ...REJECTED, isTransient: true },
	429: { ...REJECTED, code: 'rate_limited', isTransient: true, health: 'rateLimited' },
	// From 520 on: from proxies such as Cloudflare, about the service behind them.
	...Object.fromEntries([502, 503, 504, 520, 521, 522, 523, 524, 529, 530].map((status) => [status, UNAVAILABLE])),
};

interface ClassifiedRequest {
	method: string;
	/** What a repeated request would create again. */
	creates?: string;
}

/**
 * Classifies a failed attempt. `acceptanceOf` says what its status shows about the token.
 * @param isApiConfirmed whether the service has answered a request before: then its address is right, and a page comes from something else
 */
export function classifyFailure(
	request: ClassifiedRequest,
	result: AttemptResult,
	isApiConfirmed = false,
): Classification {
	if (!('response' in result)) return ruleForError(result, isApiConfirmed);
	const {
		response,
		response: { status, body },
	} = result;
	const retryAfterMs = retryAfterOf(response);
	const rule = ruleForResponse(response, request, retryAfterMs);
	const isPage = body.kind === 'html' && !requiresWait(rule);
	// A page is no answer of the API.
	const ruleOfPage: Rule = isApiConfirmed ? asOutage(rule) : { ...rule, health: 'responded' };
	return { ...(isPage ? ruleOfPage : rule), retryAfterMs, status };
}

/** Of a page in place of an answer, as during maintenance: what was done is what its status says. A proxy's page of a 429 is a limit. */
function asOutage(rule: Rule): Rule {
	return { ...UNAVAILABLE, outcome: rule.outcome };
}

/** Whether a request may be repeated (RFC 9110, 9.2.2); here, a POST may, too, unless it creates something. */
export function isRepeatable({ creates }: ClassifiedRequest): boolean {
	return creates === undefined;
}

/** Whether a request only reads (RFC 9110, 9.2.1). */
export function isSafe(request: ClassifiedRequest): boolean {
	return request.method === 'GET' && isRepeatable(request);
}

/**
 * A 503 means that the service rejected the request only with `Retry-After` and the API's own error body: Varnish adds
 * that header to its page when the service breaks the connection, maybe after doing the work. A redirect may follow a
 * completed change (303: RFC 9110, 15.4.4).
 */
function ruleForResponse(
	{ status, body }: ApiResponse,
	request: ClassifiedRequest,
	retryAfterMs: number | undefined,
): Rule {
	if (isRedirect(status)) return isSafe(request) ? REJECTED : { ...REJECTED, outcome: 'unknown' };
	const rule = BY_STATUS[status] ?? BY_CLASS[Math.floor(status / 100)] ?? SERVICE_ERROR;
	const isRejected = status === 503 && retryAfterMs !== undefined && isApiErrorBody(body);
	return isRejected ? { ...rule, outcome: 'not_done' } : rule;
}

function ruleForError({ error, wasSent }: NoResponse, isApiConfirmed: boolean): Rule {
	if (error instanceof NotSentError) return { ...NOT_SENT, code: error.code };
	// An error of n8n itself, such as a blocked address: a retry would fail, too.
	if (!wasSent || isPermanent(error, isApiConfirmed)) return NOT_SENT;
	if (neverConnected(error)) return { ...BROKEN_CONNECTION, outcome: 'not_sent' };
	return isConnectionError(error) ? BROKEN_CONNECTION : UNRECOGNIZED_ERROR;
}

/** Only for 429 and 503; capped for a 503 of a proxy, which knows less. */
function retryAfterOf({ status, headers, body }: ApiResponse): number | undefined {
	if (status !== 429 && status !== 503) return undefined;
	const ms = parseRetryAfter(headers['retry-after'], headers.date);
	return ms === undefined || status === 429 || isApiErrorBody(body) ? ms : Math.min(ms, MAX_PROXY_RETRY_AFTER_MS);
}

/** The outcome across attempts: once unknown, it stays unknown. */
export function worstOutcome(one: Outcome, other: Outcome): Outcome {
	const outcomes: Outcome[] = ['not_sent', 'not_done', 'unknown'];
	return outcomes[Math.max(outcomes.indexOf(one), outcomes.indexOf(other))]!;
}
