import { createHash } from 'crypto';
import type { IHttpRequestHelper } from 'n8n-workflow';

import { serviceUrl, type VoiceAdminCredential } from './credential';
import { login, LoginError } from './login';

/** How long a refused login is remembered, in milliseconds, so that a burst with a bad key stays at one or two attempts. */
const REFUSAL_MEMORY_MS = 5_000;

/** How long n8n may take to store a new token, in milliseconds. */
const STORING_MS = 1_000;

/** Credentials remembered at once in one n8n process; the least recently used one goes first. */
const MAX_SESSIONS = 100;

/**
 * What one n8n process knows about the access token of one API key.
 *
 * A token is *spent* when the service has answered 401 to it, and *proven* when the service has
 * accepted it at least once. Only a proven or a stored token is worth replacing: a service that
 * refuses the token it has just issued would otherwise be sent a login for every request.
 */
export class Session {
	private token = '';

	private spent = '';

	private proven = false;

	private tokenSince = 0;

	private unstored = false;

	private signIn?: Promise<string>;

	private refusal?: { error: LoginError; until: number };

	/** The newest token known, or '' when the next request has to log in. */
	newest(): string {
		return this.token;
	}

	/** Takes over the token that n8n has stored, unless a newer one is known or it is already spent. */
	adopt(stored: string): void {
		if (this.token === '' && stored !== this.spent) {
			this.token = stored;
			this.proven = true;
		}
	}

	/** The service accepted this token. */
	accepted(token: string): void {
		if (token === this.token) this.proven = true;
	}

	/** The service answered 401 to this token: it will not be used again. */
	refused(token: string): void {
		if (token !== this.token) return;
		this.spent = token;
		this.token = '';
		if (!this.proven) this.remember(LoginError.tokenNotAccepted());
	}

	/**
	 * Whether n8n has yet to store the newest token; true once for each login.
	 *
	 * n8n stores a token whenever it has to ask for one. So one request is sent as if there were none:
	 * one write to the database per login, where letting each request ask would write one per item.
	 */
	takeStoring(): boolean {
		const storing = this.unstored;
		this.unstored = false;
		return storing;
	}

	/**
	 * Logs in for the node, which found no token here; n8n is then to store the new one.
	 *
	 * @throws LoginError
	 */
	async open(http: IHttpRequestHelper, credential: VoiceAdminCredential): Promise<string> {
		return await this.logInOnce(http, credential, () => {
			this.unstored = true;
		});
	}

	/**
	 * Gives n8n a token newer than the one it has, and logs in when there is none.
	 *
	 * Those without any token that come within a second of a login share it: n8n had not stored its
	 * token yet when they read the credential. Later than that it is the credential's test that comes
	 * without a token, and a test is to log in.
	 *
	 * @throws LoginError
	 */
	async renew(http: IHttpRequestHelper, credential: VoiceAdminCredential): Promise<string> {
		const isOlder = credential.accessToken !== '' && credential.accessToken !== this.token;
		const justCame = credential.accessToken === '' && Date.now() - this.tokenSince < STORING_MS;
		if (this.token !== '' && (isOlder || justCame)) return this.token;
		return await this.logInOnce(http, credential);
	}

	/** Concurrent callers share one login; a refused one is remembered and fails at once. */
	private async logInOnce(
		http: IHttpRequestHelper,
		credential: VoiceAdminCredential,
		whenDone = () => {},
	): Promise<string> {
		if (this.refusal && Date.now() < this.refusal.until) throw this.refusal.error;
		this.signIn ??= this.logIn(http, credential)
			.then((token) => {
				whenDone();
				return token;
			})
			.finally(() => {
				this.signIn = undefined;
			});
		return await this.signIn;
	}

	private remember(error: LoginError): void {
		this.refusal = { error, until: Date.now() + REFUSAL_MEMORY_MS };
	}

	private async logIn(http: IHttpRequestHelper, credential: VoiceAdminCredential): Promise<string> {
		this.token = await login(http, credential).catch((error: unknown) => {
			if (error instanceof LoginError && error.refused) this.remember(error);
			throw error;
		});
		this.proven = false;
		this.tokenSince = Date.now();
		this.refusal = undefined;
		return this.token;
	}
}

const sessions = new Map<string, Session>();

/**
 * The session of a credential in this process: the same for every node, execution and item that
 * uses the same service, client id and key.
 *
 * @throws UserError when the credential's base URL is not usable
 */
export function sessionOf(credential: VoiceAdminCredential): Session {
	const key = createHash('sha256')
		.update(JSON.stringify([serviceUrl(credential), credential.clientId, credential.clientSecret]))
		.digest('base64');
	const session = sessions.get(key) ?? new Session();
	// Setting it anew makes it the most recently used, as a Map keeps the order of insertion.
	sessions.delete(key);
	sessions.set(key, session);
	if (sessions.size > MAX_SESSIONS) {
		sessions.delete(sessions.keys().next().value as string);
	}
	return session;
}
