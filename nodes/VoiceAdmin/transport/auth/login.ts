import type { IHttpRequestHelper, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { isObjectOrArray } from '../../json';
import { withDeadline } from '../../time';
import {
	type AttemptResult,
	type Classification,
	classifyFailure,
	NotSentError,
	requiresWait,
} from '../response/classifyFailure';
import { explainConnectionError } from '../response/connectionErrors';
import { describeResponse } from '../response/describeResponse';
import { type Excerpt, excerptWithout, redact } from '../response/redact';
import {
	type ApiResponse,
	RESPONSE_OPTIONS,
	MAX_SMALL_RESPONSE_BYTES,
	readResponse,
	isSuccess,
} from '../response/readResponse';
import type { VoiceAdminCredential } from './credential';

const LOGIN_PATH = '/auth/api-key/login';

/** The API documents no time-out; a login that takes longer than this fails. */
const LOGIN_TIMEOUT_MS = 15_000;

type LoginProblem = { problem: string; advice?: string };

/** A failed login, worded for the person who set up the credential. */
export class LoginError extends NotSentError {
	constructor(
		{ problem, advice }: LoginProblem,
		readonly classification: Classification,
		readonly isKeyRejected = false,
	) {
		super(problem, 'login_failed', advice);
	}

	/** Whether it may pass: the service is unavailable, or limits logins. */
	get isOutage(): boolean {
		return requiresWait(this.classification);
	}
}

/** With its lifetime, Infinity if unknown. */
export type AccessToken = { token: string; lifetimeMs: number };

/** Visible ASCII that fits into a header: Node's servers allow 16 KB for all of them. */
const USABLE_TOKEN = /^[\x21-\x7e]{1,12000}$/;

/**
 * Exchanges the API key for an access token.
 * @param recentTokens redacted, like the key, from errors
 * @param isApiConfirmed as of `classifyFailure`
 * @throws LoginError
 */
export async function login(
	{ helpers }: IHttpRequestHelper,
	credential: VoiceAdminCredential,
	recentTokens: string[],
	isApiConfirmed = false,
): Promise<AccessToken> {
	const classify = (result: AttemptResult) => classifyFailure({ method: 'POST' }, result, isApiConfirmed);
	const { baseUrl, clientId, clientSecret, allowUnauthorizedCerts } = credential;
	const request: IHttpRequestOptions = {
		method: 'POST',
		url: baseUrl + LOGIN_PATH,
		headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
		body: new URLSearchParams({ clientId, clientSecret }).toString(),
		skipSslCertificateValidation: allowUnauthorizedCerts,
		timeout: LOGIN_TIMEOUT_MS,
		// Follows no redirect: the key is sent only to the base URL's origin.
		...RESPONSE_OPTIONS,
	};
	const response = await withDeadline(LOGIN_TIMEOUT_MS, undefined, async (abortSignal) => {
		const incoming = (await helpers.httpRequest({ ...request, abortSignal })) as IN8nHttpFullResponse;
		return await readResponse(incoming, MAX_SMALL_RESPONSE_BYTES, abortSignal);
	}).catch((error: unknown) => {
		const { problem, advice } = explainConnectionError(error, baseUrl);
		const reason = redact(problem, [clientSecret, ...recentTokens]);
		throw new LoginError({ problem: `Couldn't log in: ${reason}`, advice }, classify({ error, wasSent: true }));
	});
	const { body, status } = response;
	const { access_token: given, expires_in: expiresIn }: Record<string, unknown> =
		body.kind === 'json' && isObjectOrArray(body.value) ? body.value : {};
	const token = typeof given === 'string' ? given : '';
	if (isSuccess(status) && USABLE_TOKEN.test(token)) return { token, lifetimeMs: lifetimeOf(token, expiresIn) };
	// A failed login may contain a token too: redact it.
	const classification = classify({ response });
	const excerpt = excerptWithout(clientSecret, token, ...recentTokens);
	const failure = loginFailure(response, baseUrl, excerpt, isApiConfirmed && requiresWait(classification));
	throw new LoginError(failure, classification, isKeyRejection(response));
}

/**
 * The lesser of a JWT's `exp` − `iat` (RFC 7519) and OAuth's `expires_in`, in seconds; only differences count, as clocks may differ.
 * @returns Infinity if neither is given as a second at least: less would be over before the token is used
 */
export function lifetimeOf(token: string, expiresIn: unknown): number {
	const { iat, exp } = claimsOf(token);
	const secondsOf = (value: unknown) => (typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN);
	const lifetimes = [secondsOf(exp) - secondsOf(iat), secondsOf(expiresIn)].filter((seconds) => seconds >= 1);
	return Math.min(...lifetimes) * 1_000;
}

/** @returns {} for a token that is no JWT */
function claimsOf(token: string): { iat?: unknown; exp?: unknown } {
	try {
		return (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) ?? {}) as object;
	} catch {
		return {};
	}
}

/** An HTML page isn't from the API, and shows nothing about the key. */
function isKeyRejection({ status, body }: ApiResponse): boolean {
	return [400, 401, 403].includes(status) && (body.kind === 'json' || body.kind === 'empty');
}

function loginFailure(response: ApiResponse, baseUrl: string, excerpt: Excerpt, isOutage: boolean): LoginProblem {
	const { status } = response;
	if (isSuccess(status) && !isOutage)
		return {
			problem: `Couldn't log in: ${baseUrl} returned ${status}, but no usable access token. Check the base URL in the credential`,
		};
	const answered = describeResponse(response, excerpt);
	if (isKeyRejection(response))
		return {
			problem: `The service didn't accept the API key: ${answered}. Check 'Environment', 'Client ID' and 'Client Secret' in the credential`,
		};
	if (!isOutage && (status < 400 || [404, 405].includes(status)))
		return {
			problem: `Couldn't log in: there's no login endpoint at ${baseUrl}${LOGIN_PATH}: ${answered}. Check the base URL in the credential`,
		};
	const advice =
		response.body.kind === 'html' && !isOutage
			? 'Check the base URL in the credential, or try again later'
			: 'Try again later';
	return { problem: `Couldn't log in: ${answered}. The API key may still be right`, advice };
}
