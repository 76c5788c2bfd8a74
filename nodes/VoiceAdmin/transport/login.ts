import { OperationalError, UserError } from 'n8n-workflow';
import type { IHttpRequestHelper, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { serviceUrl, TOKEN, type VoiceAdminCredential } from './credential';
import { connectionFailure } from './connectionFailure';
import { describeReply } from './describeReply';
import { excerptWithout } from './excerpt';
import { redact } from './redact';
import { asReply, type Reply } from './reply';

const LOGIN_PATH = '/auth/api-key/login';

/** The API's documentation shows no time-out; a login that takes longer than this is taken as failed. */
const LOGIN_TIMEOUT_MS = 30_000;

/** Statuses by which a service refuses a key. */
const REFUSALS = [400, 401, 403];

/** A login that gave no usable access token, in words for the person who set up the credential. */
export class LoginError extends UserError {
	constructor(
		message: string,
		/** Status of the service's answer; none when there was no answer. */
		readonly httpStatus?: number,
		/** The answer's `Retry-After` header. */
		readonly retryAfter?: unknown,
	) {
		super(message);
	}

	/** Whether the service refused the key, so that asking again at once is of no use. */
	get isRefusal(): boolean {
		return this.httpStatus !== undefined && REFUSALS.includes(this.httpStatus);
	}
}

/** How a login travels: what n8n's Request Options say of the connection. */
export type Way = Pick<IHttpRequestOptions, 'proxy' | 'skipSslCertificateValidation' | 'timeout'>;

/**
 * Exchanges the API key for an access token: `POST /auth/api-key/login` with a form body.
 *
 * @returns the token, as the service gave it
 * @throws LoginError in words that hold neither the key nor a token
 */
export async function login(
	{ helpers }: IHttpRequestHelper,
	credential: VoiceAdminCredential,
	way: Way = {},
): Promise<string> {
	const service = serviceUrl(credential);
	const timeout = Math.min(LOGIN_TIMEOUT_MS, way.timeout ?? LOGIN_TIMEOUT_MS);
	// The HTTP client's own time-out begins anew with every byte: a login that trickles in would keep all who share it.
	const deadline = AbortSignal.timeout(timeout);
	const request: IHttpRequestOptions = {
		method: 'POST',
		url: service + LOGIN_PATH,
		headers: {
			'Content-Type': 'application/x-www-form-urlencoded',
			Accept: 'application/json',
		},
		body: new URLSearchParams({
			clientId: credential.clientId,
			clientSecret: credential.clientSecret,
		}).toString(),
		...(way.proxy && { proxy: way.proxy }),
		skipSslCertificateValidation:
			credential.allowUnauthorizedCerts || way.skipSslCertificateValidation === true,
		encoding: 'text',
		timeout,
		abortSignal: deadline,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// The key goes to the base URL's origin only.
		disableFollowRedirect: true,
	};
	const response = (await helpers.httpRequest(request).catch((error: unknown) => {
		const { words } = connectionFailure(deadline.aborted ? new OperationalError('timeout of the whole reply') : error, service);
		throw new LoginError(`Could not log in: ${redact(words, credential)}`);
	})) as IN8nHttpFullResponse;
	return tokenOf(asReply(response), service, credential);
}

function tokenOf(reply: Reply, service: string, credential: VoiceAdminCredential): string {
	const { status, body } = reply;
	if (status >= 200 && status < 300) {
		const token = (body.kind === 'json' && (body.value as { access_token?: unknown } | null)?.access_token) || '';
		if (typeof token === 'string' && TOKEN.test(token)) return token;
		throw new LoginError(
			`Could not log in: ${service} answered ${status}, but without a usable access token. Check the base URL in the credential`,
			status,
		);
	}
	const answer = describeReply(reply, excerptWithout(credential));
	if (REFUSALS.includes(status)) {
		throw new LoginError(
			`The service refused the API key: ${answer}. Check "Client ID" and the API key, "Client Secret", in the credential`,
			status,
		);
	}
	if (status < 400 || status === 404 || status === 405) {
		throw new LoginError(
			`Could not log in: there is no login at ${service}${LOGIN_PATH} (${answer}). Check the base URL in the credential`,
			status,
		);
	}
	throw new LoginError(`Could not log in: ${answer}. The API key was not checked; try again later`, status, reply.headers['retry-after']);
}
