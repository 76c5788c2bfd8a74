import { sleep } from 'n8n-workflow';
import type { IHttpRequestHelper } from 'n8n-workflow';

import type { VoiceAdminCredential } from './credential';
import { login, LoginError, type Way } from './login';
import { isWorthRetrying, waitBeforeRetry } from './retry';

/** How long a refused key is remembered, in milliseconds, so that a burst of items does not repeat the login. */
const REFUSAL_MEMORY_MS = 5_000;

/** The same for a login that failed otherwise. */
const FAILURE_MEMORY_MS = 500;

/** A token that nobody has used with success is not replaced before this age, in milliseconds. */
const YOUNG_MS = 5_000;

/** How often a login is tried again after a passing failure, on behalf of all who wait for it. */
const LOGIN_RETRIES = 2;

/** Longest wait before that, in milliseconds: those who wait for the login cannot be told to stop. */
const LONGEST_LOGIN_WAIT_MS = 1_000;

/** Credentials remembered at once in one n8n process; the least recently used one goes first. */
const MAX_SESSIONS = 1_000;

/** What a 401 means for the request that got it. */
export type Refusal401 =
	/** The token had been replaced meanwhile: send again with the newest. */
	| 'replaced'
	/** The token has expired; the next request logs in. */
	| 'expired'
	/** The service accepted the token for a request sent later: it may be about this request. */
	| 'doubtful'
	/** The service has just issued the token, and has accepted it for nothing yet: another may fare no better. */
	| 'unproven';

/** What one n8n process knows about the access token of one API key. */
export class Session {
	private token = '';

	/** When the newest token was issued; 0 for one that n8n had stored. */
	private issuedAt = 0;

	/** The latest-sent request for which the service accepted the newest token; 0 for none. */
	private accepted = 0;

	/** Whether a token was replaced that the service had accepted for nothing yet. */
	private replacedUnproven = false;

	private spent = '';

	private unstored = false;

	private requests = 0;

	private signIn?: Promise<string>;

	private failure?: { error: unknown; until: number };

	/** The newest token known, or '' when the next request has to log in. */
	newest(): string {
		return this.token;
	}

	/** Takes over the token that n8n has stored, unless one is known already or this one is spent. */
	adopt(stored: string): void {
		if (this.token !== '' || stored === this.spent) return;
		this.token = stored;
		this.issuedAt = 0;
		this.accepted = 0;
	}

	/** Numbers a request that is about to be sent. */
	number(): number {
		return ++this.requests;
	}

	/** The service accepted the token for the request of this number. */
	accept(token: string, request: number): void {
		if (token !== this.token) return;
		this.accepted = Math.max(this.accepted, request);
		this.replacedUnproven = false;
	}

	/** The service answered 401 to the token for the request of this number. */
	refuse(token: string, request: number): Refusal401 {
		if (token !== this.token) return 'replaced';
		if (this.accepted > request) return 'doubtful';
		if (this.accepted === 0 && Date.now() - this.issuedAt < YOUNG_MS) {
			// Once, as another process may have logged in meanwhile and made the service forget this token.
			if (this.replacedUnproven) return 'unproven';
			this.replacedUnproven = true;
		}
		this.spent = token;
		this.token = '';
		return 'expired';
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
	async open(http: IHttpRequestHelper, credential: VoiceAdminCredential, way: Way): Promise<string> {
		return await this.logInOnce(http, credential, way, () => {
			this.unstored = true;
		});
	}

	/**
	 * Gives n8n a token newer than the one it has, and logs in when there is none.
	 *
	 * @throws LoginError
	 */
	async renew(http: IHttpRequestHelper, credential: VoiceAdminCredential): Promise<string> {
		if (this.token !== '' && this.token !== credential.accessToken) return this.token;
		return await this.logInOnce(http, credential, {});
	}

	/** Concurrent callers share one login, and for a while its failure. */
	private async logInOnce(
		http: IHttpRequestHelper,
		credential: VoiceAdminCredential,
		way: Way,
		whenDone = () => {},
	): Promise<string> {
		if (this.failure && Date.now() < this.failure.until) throw this.failure.error;
		this.signIn ??= this.logIn(http, credential, way)
			.then((token) => {
				this.token = token;
				this.issuedAt = Date.now();
				this.accepted = 0;
				this.failure = undefined;
				whenDone();
				return token;
			})
			.catch((error: unknown) => {
				const isRefusal = error instanceof LoginError && error.isRefusal;
				const memory = isRefusal ? REFUSAL_MEMORY_MS : FAILURE_MEMORY_MS;
				this.failure = { error, until: Date.now() + memory };
				throw error;
			})
			.finally(() => {
				this.signIn = undefined;
			});
		return await this.signIn;
	}

	private async logIn(
		http: IHttpRequestHelper,
		credential: VoiceAdminCredential,
		way: Way,
		tries = 1,
	): Promise<string> {
		return await login(http, credential, way).catch(async (error: unknown) => {
			const isPassing = error instanceof LoginError && isWorthRetrying('GET', error.httpStatus);
			if (!isPassing || tries > LOGIN_RETRIES) throw error;
			const wait = waitBeforeRetry(tries, error.retryAfter);
			if (wait > LONGEST_LOGIN_WAIT_MS) throw error;
			await sleep(wait);
			return await this.logIn(http, credential, way, tries + 1);
		});
	}
}

const sessions = new Map<string, Session>();

/** The session of a credential in this process: the same for every node, execution and item with the same key. */
export function sessionOf(credential: VoiceAdminCredential): Session {
	const key = credential.accessTokenFor;
	const session = sessions.get(key) ?? new Session();
	// Setting it anew makes it the most recently used, as a Map keeps the order of insertion.
	sessions.delete(key);
	sessions.set(key, session);
	if (sessions.size > MAX_SESSIONS) {
		sessions.delete(sessions.keys().next().value as string);
	}
	return session;
}
