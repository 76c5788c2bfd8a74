import type { IDataObject } from 'n8n-workflow';

import { appendSentence, formatDuration, joinSentences } from '../text';
import { time } from '../time';
import type { VoiceAdminCredential } from './auth/credential';
import { LoginError } from './auth/login';
import type { Outage } from './flow/circuitBreaker';
import { tokenManagerOf } from './auth/tokenManager';
import {
	type AttemptResult,
	type Classification,
	type ErrorCode,
	isSafe,
	type NoResponse,
	NotSentError,
	type Outcome,
	TRANSIENT_STATUSES,
} from './response/classifyFailure';
import { explainConnectionError } from './response/connectionErrors';
import { describeBody, MAX_DETAILS, messageAndDetails } from './response/describeResponse';
import { type Excerpt, excerptWithout } from './response/redact';
import { type ApiResponse, isApiErrorBody, isRedirect } from './response/readResponse';
import type { ApiRequest } from './apiRequest';

const TRY_AGAIN_LATER = 'Try again later';

/** Why a request failed, for users (as `describeFailure` says it) and for workflows to branch on. */
export interface Failure {
	message: string;
	/** Lines of explanation; '' for none. */
	description: string;
	/** When to send it again; not shown if it may have been carried out. */
	advice?: string;
	/** What to know beyond this request; '' for nothing. */
	notes?: string;
	code: ErrorCode;
	outcome: Outcome;
	/** The request's fields; undefined if no request could be built. */
	fields?: IDataObject;
	creates?: string;
	label?: string;
	/** How often it was sent. */
	attempts?: number;
	/** Whether the request does more than read. */
	isChange?: boolean;
	status?: number;
	/** False for the body of a proxy or another server. */
	hasApiErrorBody?: boolean;
}

/** What a request was sent with. */
interface SentWith {
	/** How many attempts there were. */
	attempts: number;
	credential: VoiceAdminCredential;
	/** Redacted. */
	recentTokens: string[];
}

/** Why a request failed, after its last attempt. */
export function failureOf(
	request: ApiRequest,
	result: AttemptResult,
	{ code, outcome, ...classification }: Classification,
	sentWith: SentWith,
): Failure {
	const { attempts, credential, recentTokens } = sentWith;
	const { retryAfterMs = 0 } = isLoginError(result) ? result.error.classification : classification;
	const excerpt = excerptWithout(credential.clientSecret, result.token ?? '', ...recentTokens);
	const { description, ...more } =
		'response' in result
			? explainResponse(result.response, code, credential, excerpt)
			: explainError(result, sentWith, excerpt);
	const asks = retryAfterMs > 0 ? `The service asks to wait for ${formatDuration(retryAfterMs)}` : '';
	const message = appendSentence(more.message, asks);
	const failure = { ...more, message, description: joinSentences(description), code, outcome, attempts };
	return withRequestDetails(request, failure);
}

/** The error of a request that is not sent, as the service was unavailable or limited requests for as long as its run may wait. */
export function outageError({ cause, startedAt, status, retryAfterUntil }: Readonly<Outage>): NotSentError {
	const now = time.now();
	const code = cause === 'rateLimited' ? 'rate_limited' : status === undefined ? 'connection_failed' : 'service_error';
	const since =
		status === undefined ? "hasn't responded" : `last returned ${status}, and hasn't accepted such a request`;
	const problem =
		retryAfterUntil > now
			? `asks to wait for ${formatDuration(retryAfterUntil - now)}`
			: `${since} for ${formatDuration(now - startedAt)}`;
	return new NotSentError(`The service ${problem}`, code, TRY_AGAIN_LATER);
}

/** Adds the request to a failure. */
export function withRequestDetails(request: ApiRequest, failure: Failure): Failure {
	const { creates, label, fields } = request;
	return { ...failure, label, fields, ...(creates !== undefined && { creates }), isChange: !isSafe(request) };
}

/** What n8n shows of a failure: also what the request was, and whether what it creates or changes may be done. */
export function describeFailure(failure: Failure): Pick<Failure, 'message' | 'description'> {
	const { creates, label, attempts = 1, isChange, outcome, notes = '' } = failure;
	const mayBeDone = isChange && outcome === 'unknown';
	const mayBe =
		creates === undefined
			? `The request${label ? ` (${label})` : ''} may have been carried out`
			: `The ${creates} may already exist`;
	const advice = failure.advice ?? (isTransient(failure) ? TRY_AGAIN_LATER : '');
	const forNotDone = [creates === undefined ? '' : `This item didn't create the ${creates}`, advice];
	const wasRejected = isChange && outcome === 'not_done';
	const request =
		outcome === 'not_sent' ? "The request wasn't sent" : wasRejected ? "The request wasn't carried out" : 'Request';
	const description = joinSentences([
		failure.description,
		...(mayBeDone ? [adviceBeforeResending(creates !== undefined, 1, `the ${creates}`)] : forNotDone),
		label === undefined || mayBeDone ? '' : `${request}: ${label}`,
		attempts > 1 ? `Attempts: ${attempts}` : '',
		notes,
	]);
	return { message: mayBeDone ? appendSentence(failure.message, mayBe) : failure.message, description };
}

/**
 * What to do before requests are sent again that may have been carried out.
 * @param areCreates whether all create something
 * @param created what to look for, if that isn't said before
 */
export function adviceBeforeResending(areCreates: boolean, count = 1, created?: string): string {
	const it = count === 1 ? 'it' : 'them';
	const check = areCreates ? `Look for ${created ?? it} in your provider's records` : 'Ask your provider what was done';
	return `${check} before you send ${it} again`;
}

/** Whether the same request may succeed later. */
function isTransient({ code, outcome, status = 0 }: Failure): boolean {
	const isBusy = code === 'service_error' || TRANSIENT_STATUSES.includes(status);
	return isBusy || (code === 'connection_failed' && outcome === 'unknown');
}

/** The failure for an error of this package or of n8n. */
export function failureOfError(error: unknown, code: ErrorCode, outcome: Outcome = 'not_sent'): Failure {
	const { message, messages, description } = (error ?? {}) as {
		message?: unknown;
		messages?: unknown;
		description?: unknown;
	};
	// n8n replaces the message of an error with a code such as ECONNRESET, and keeps the original in `messages`.
	const text = [Array.isArray(messages) ? messages[0] : undefined, message].find(
		(each) => typeof each === 'string' && each.trim() !== '',
	);
	return {
		message: (text as string | undefined) ?? "The request couldn't be made",
		description: typeof description === 'string' ? description : '',
		code,
		outcome,
	};
}

function isLoginError(result: AttemptResult): result is AttemptResult & { error: LoginError } {
	return 'error' in result && result.error instanceof LoginError;
}

type Explanation = Pick<Failure, 'message' | 'advice' | 'status' | 'hasApiErrorBody'> & { description: string[] };

function explainResponse(
	response: ApiResponse,
	code: ErrorCode,
	credential: VoiceAdminCredential,
	excerpt: Excerpt,
): Explanation {
	const { body, status } = response;
	const { message, details } = messageAndDetails(response, excerpt);
	const hint = hintFor(response, code, credential, excerpt);
	const hasNothing = body.kind === 'empty' || (message !== '' && details === '');
	const mayBeWrong = hasNothing && hint === '' && code === 'not_found';
	return {
		message: message || `The service returned ${status} with ${describeBody(response, excerpt)}`,
		description: [
			details,
			hint,
			message !== '' && details === '' && hint === '' ? 'The service gave no details' : '',
			mayBeWrong ? 'Check the base URL in the credential, and the ID if you entered one' : '',
		],
		...(code === 'invalid_response' && hint === '' && { advice: 'Ask your provider if it happens again' }),
		status,
		hasApiErrorBody: isApiErrorBody(body),
	};
}

function explainError(
	{ error, wasSent }: NoResponse,
	{ credential: { baseUrl } }: SentWith,
	excerpt: Excerpt,
): Explanation {
	if (error instanceof LoginError)
		return { message: error.problem, advice: error.advice, description: [], status: error.classification.status };
	if (error instanceof NotSentError) return { message: error.problem, advice: error.advice, description: [] };
	if (wasSent) {
		const { problem, advice = '' } = explainConnectionError(error, baseUrl);
		return { message: capitalize(excerpt(problem, MAX_DETAILS)), description: [advice] };
	}
	const { message, description } = failureOfError(error, 'connection_failed');
	return {
		message: excerpt(message, MAX_DETAILS),
		description: [excerpt(description, MAX_DETAILS)],
	};
}

const ONLY_NEWEST =
	"the service may honor only a key's newest token, while another n8n process or program logs in with this key: let only one of them use it";

/** Why a token was refused, by which token of the key was accepted last. */
const REFUSED_TOKEN_HINTS = {
	none: `Check 'Token Header Name' and 'Token Prefix' in the credential: the service has accepted no access token of this API key. If they're right, ${ONLY_NEWEST}`,
	earlier: `If you changed 'Token Header Name' or 'Token Prefix' in the credential, check them: the service accepted earlier access tokens of this API key, but not the new one. If all requests fail, ${ONLY_NEWEST}. If only this one fails, ask your provider whether the key may send it`,
	newest:
		'The service accepts the access token for other requests, but not for this one. Ask your provider whether the API key may send it',
};

function hintFor(
	{ status, headers, body }: ApiResponse,
	code: ErrorCode,
	credential: VoiceAdminCredential,
	excerpt: Excerpt,
): string {
	if (isRedirect(status)) {
		const location = typeof headers.location === 'string' ? headers.location : '';
		const target = location === '' ? '' : ` (to ${stripQueryAndUser(excerpt(location, 200))})`;
		const check = code === 'service_error' ? '' : '. Check the base URL';
		return `The service redirects${target}. The redirect wasn't followed, because the access token is sent only to the credential's base URL, ${credential.baseUrl}${check}`;
	}
	if (code === 'unauthorized' && body.kind !== 'html')
		return REFUSED_TOKEN_HINTS[tokenManagerOf(credential).lastAccepted];
	if (code === 'rate_limited')
		return "Add the option 'Max Concurrency' and lower it, and check whether other programs use the same API key";
	if (body.kind === 'html' && code !== 'service_error')
		return "Check the base URL in the credential. If it's right, ask your provider";
	if (code !== 'forbidden' || !isApiErrorBody(body)) return '';
	return 'The API key in this credential has no permission for this operation. Ask your provider to grant it. It takes effect within five minutes or, without queue mode, once you test the credential';
}

function stripQueryAndUser(url: string): string {
	return url.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
}

function capitalize(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
