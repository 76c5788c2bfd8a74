import { UserError } from 'n8n-workflow';
import type { IHttpRequestHelper, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { isUsableToken, serviceUrl, type VoiceAdminCredential } from './credential';
import { connectionFailure } from '../http/connectionErrors';
import { withDeadline } from '../http/deadline';
import { describeReply } from '../http/describeResponse';
import { excerptWithout } from '../http/excerpt';
import { redact } from '../http/redact';
import { MAX_SMALL_REPLY_BYTES, readReply, type Reply } from '../http/response';

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

/** How the node's requests travel, as n8n's Request Options say: a login takes of it what cannot give the key away. */
export type Way = Pick<IHttpRequestOptions, 'proxy' | 'timeout'> & { allowedDomains?: string };

/**
 * Exchanges the API key for an access token: `POST /auth/api-key/login` with a form body.
 *
 * Who may use a credential in a node, but not read it, must not get at the key by the node's options: whether the
 * certificate is verified is set in the credential only, and a proxy carries the login only where it can't read it.
 *
 * @returns the token, as the service gave it
 * @throws LoginError in words that hold neither the key nor a token
 */
export async function login(
	{ helpers }: IHttpRequestHelper,
	credential: VoiceAdminCredential,
	{ proxy, timeout: asked = LOGIN_TIMEOUT_MS, allowedDomains }: Way = {},
): Promise<string> {
	const service = serviceUrl(credential);
	const timeout = Math.min(LOGIN_TIMEOUT_MS, asked);
	const mayUseProxy = proxy !== undefined && carriesLogin(proxy, credential);
	const request: IHttpRequestOptions & Pick<Way, 'allowedDomains'> = {
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
		...(mayUseProxy && { proxy }),
		...(allowedDomains !== undefined && { allowedDomains }),
		skipSslCertificateValidation: credential.allowUnauthorizedCerts,
		encoding: 'stream',
		timeout,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// The key goes to the base URL's origin only.
		disableFollowRedirect: true,
	};
	const reply = await withDeadline(timeout, undefined, async (abortSignal) => {
		const response = (await helpers.httpRequest({ ...request, abortSignal })) as IN8nHttpFullResponse;
		return await readReply(response, MAX_SMALL_REPLY_BYTES, abortSignal);
	}).catch((error: unknown) => {
		const hint = proxy !== undefined && !mayUseProxy ? `. ${PROXY_NOT_USED}` : '';
		throw new LoginError(`Could not log in: ${redact(connectionFailure(error, service).words, credential)}${hint}`);
	});
	return tokenOf(reply, service, credential);
}

const PROXY_NOT_USED =
	"The proxy set in the node is not used for the login, because it could read the API key. Use an https:// base URL with 'Ignore SSL Issues' off in the credential, or set the proxy in n8n's environment";

/** Whether a proxy that is set in a node can't read what goes through it, or is this machine itself. */
function carriesLogin(proxy: NonNullable<Way['proxy']>, credential: VoiceAdminCredential): boolean {
	const isVerified = serviceUrl(credential).startsWith('https:') && !credential.allowUnauthorizedCerts;
	return isVerified || /^(?:127(?:\.[0-9]{1,3}){3}|localhost|\[?::1\]?)$/i.test(proxy.host);
}

function tokenOf(reply: Reply, service: string, credential: VoiceAdminCredential): string {
	const { status, body } = reply;
	if (status >= 200 && status < 300) {
		const token = body.kind === 'json' ? (body.value as { access_token?: unknown } | null)?.access_token : undefined;
		if (isUsableToken(token)) return token;
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
