import type { IHttpRequestHelper, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { isObjectOrArray } from '../../json';
import { withDeadline } from '../../time';
import { type Classification, classifyFailure, NotSentError } from '../response/classifyFailure';
import { connectionErrorMessage } from '../response/connectionErrors';
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
const LOGIN_TIMEOUT_MS = 30_000;

/** Statuses of a rejected key (with JSON or no body), and of a missing login endpoint. */
const KEY_REJECTED = [400, 401, 403];
const NO_LOGIN_ENDPOINT = [404, 405];

/** A failed login, worded for the person who set up the credential. */
export class LoginError extends NotSentError {
	constructor(
		message: string,
		readonly classification: Classification,
		readonly isKeyRejected = false,
	) {
		super(message, 'login_failed');
	}
}

export interface AccessToken {
	token: string;
	/** In milliseconds; undefined if unknown. */
	lifetimeMs?: number;
}

/** In characters: Node's servers allow 16 KB for all headers. */
const MAX_TOKEN_LENGTH = 12_000;

/** Whether it fits into a header: visible ASCII, not too long. */
export function isUsableToken(token: unknown): token is string {
	return typeof token === 'string' && token.length <= MAX_TOKEN_LENGTH && /^[\x21-\x7e]+$/.test(token);
}

/**
 * Exchanges the API key for an access token.
 * @param recentTokens redacted, like the key, from errors @throws LoginError
 */
export async function login(
	{ helpers }: IHttpRequestHelper,
	credential: VoiceAdminCredential,
	recentTokens: string[],
): Promise<AccessToken> {
	const { baseUrl, clientId, clientSecret, allowedDomains, allowUnauthorizedCerts } = credential;
	const request: IHttpRequestOptions & Pick<VoiceAdminCredential, 'allowedDomains'> = {
		method: 'POST',
		url: baseUrl + LOGIN_PATH,
		headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
		body: new URLSearchParams({ clientId, clientSecret }).toString(),
		...(allowedDomains !== undefined && { allowedDomains }),
		skipSslCertificateValidation: allowUnauthorizedCerts,
		timeout: LOGIN_TIMEOUT_MS,
		// Follows no redirect: the key is sent only to the base URL's origin.
		...RESPONSE_OPTIONS,
	};
	const response = await withDeadline(LOGIN_TIMEOUT_MS, undefined, async (abortSignal) => {
		const incoming = (await helpers.httpRequest({ ...request, abortSignal })) as IN8nHttpFullResponse;
		return await readResponse(incoming, MAX_SMALL_RESPONSE_BYTES, abortSignal);
	}).catch((error: unknown) => {
		const reason = redact(connectionErrorMessage(error, baseUrl), [clientSecret, ...recentTokens]);
		throw new LoginError(`Could not log in: ${reason}`, classifyFailure({ method: 'POST' }, { error, wasSent: true }));
	});
	const { token, expiresIn } = loginFieldsOf(response);
	if (isSuccess(response.status) && isUsableToken(token)) return { token, lifetimeMs: lifetimeOf(token, expiresIn) };
	// A failed login may contain a token too: redact it.
	throw new LoginError(
		loginFailureMessage(response, credential, excerptWithout(clientSecret, token ?? '', ...recentTokens)),
		classifyFailure({ method: 'POST' }, { response }),
		isKeyRejection(response),
	);
}

/** A token that is no text is none. */
function loginFieldsOf({ body }: ApiResponse): { token?: string; expiresIn?: unknown } {
	if (body.kind !== 'json' || !isObjectOrArray(body.value)) return {};
	const { access_token: token, expires_in: expiresIn } = body.value;
	return { ...(typeof token === 'string' && { token }), expiresIn };
}

/**
 * A token's lifetime in milliseconds: the lesser of a JWT's `exp` − `iat` (RFC 7519) and OAuth's `expires_in` (seconds). Only differences
 * count, as clocks may differ. @returns undefined if neither is given
 */
export function lifetimeOf(token: string, expiresIn: unknown): number | undefined {
	const { iat, exp } = claimsOf(token);
	const lifetimes = [secondsOf(exp) - secondsOf(iat), secondsOf(expiresIn)].filter((seconds) => seconds > 0);
	return lifetimes.length === 0 ? undefined : Math.min(...lifetimes) * 1_000;
}

/** @returns NaN for what is neither a number nor a text of one */
function secondsOf(value: unknown): number {
	return typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
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
	return KEY_REJECTED.includes(status) && (body.kind === 'json' || body.kind === 'empty');
}

function loginFailureMessage(response: ApiResponse, { baseUrl }: VoiceAdminCredential, excerpt: Excerpt): string {
	const { status } = response;
	if (isSuccess(status)) {
		return `Could not log in: ${baseUrl} returned ${status}, but no usable access token. Check the base URL in the credential`;
	}
	const answered = describeResponse(response, excerpt);
	if (isKeyRejection(response)) {
		return `The service did not accept the API key: ${answered}. Check 'Client ID' and 'Client Secret' (the API key) in the credential`;
	}
	if (status < 400 || NO_LOGIN_ENDPOINT.includes(status)) {
		return `Could not log in: there is no login endpoint at ${baseUrl}${LOGIN_PATH}: ${answered}. Check the base URL in the credential`;
	}
	const check =
		response.body.kind === 'html' ? 'Check the base URL in the credential, or try again later' : 'Try again later';
	return `Could not log in: ${answered}. The API key may still be right. ${check}`;
}
