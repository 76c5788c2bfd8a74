import { sleep } from 'n8n-workflow';
import type { IHttpRequestHelper } from 'n8n-workflow';

import { now } from '../flow/clock';
import { fingerprintOf, type VoiceAdminCredential } from './credential';
import { login, LoginError, type Way } from './login';
import { isWorthRetrying, waitBeforeRetry } from '../flow/retryPolicy';

/** How long a refused key is remembered, in milliseconds, so that a burst of items does not repeat the login. */
const REFUSAL_MEMORY_MS = 5_000;

/** The same for a login that failed otherwise. */
const FAILURE_MEMORY_MS = 500;

/** A token that was accepted in no header is replaced once in this time, in milliseconds. */
const UNPROVEN_MS = 5_000;

/** The same for one that was accepted, but never in the header at hand: it is that header that the service does not take. */
const WRONG_HEADER_MS = 60_000;

/** Header names and prefixes that are told apart at once for one key; the one noticed first goes first. */
const MAX_HEADERS = 20;

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
	/** A token was replaced for this header a moment ago, and none was accepted in it since: another may fare no better. */
	| 'unproven';

/** A request of another node, by its number in the session, and the token that it was sent with; '' for none. */
export interface SentRequest {
	token: string;
	request: number;
}

/** What is known of one header, by its name and prefix, in which credentials send the token. */
interface HeaderRecord {
	/** Whether the service has accepted the newest token in it. */
	isAccepted: boolean;
	/** When a token was last replaced that it had not accepted in it. */
	replacedAt?: number;
}

/** What one n8n process knows about the access token of one API key. */
export class Session {
	private token = '';

	/** The latest-sent request for which the service accepted the newest token; 0 for none. */
	private accepted = 0;

	private readonly headers = new Map<string, HeaderRecord>();

	private requests = 0;

	private signIn?: Promise<string>;

	private failure?: { error: unknown; until: number };

	/** The newest token known, or '' when the next request has to log in. */
	newest(): string {
		return this.token;
	}

	/** Numbers a request that is about to be sent. */
	number(): number {
		return ++this.requests;
	}

	/** The service accepted the token for the request of this number, sent with that credential. */
	accept(token: string, request: number, credential: VoiceAdminCredential): void {
		if (token !== this.token) return;
		this.accepted = Math.max(this.accepted, request);
		const header = this.headerOf(credential);
		header.isAccepted = true;
		header.replacedAt = undefined;
	}

	/** The service answered 401 to the token for the request of this number, sent with that credential. */
	refuse(token: string, request: number, credential: VoiceAdminCredential): Refusal401 {
		if (token !== this.token) return 'replaced';
		if (this.accepted > request) return 'doubtful';
		const header = this.headerOf(credential);
		if (!header.isAccepted) {
			// Once, as another process may have logged in meanwhile and made the service forget this token.
			const memory = this.accepted > 0 ? WRONG_HEADER_MS : UNPROVEN_MS;
			if (header.replacedAt !== undefined && now() - header.replacedAt < memory) return 'unproven';
			header.replacedAt = now();
		}
		this.token = '';
		return 'expired';
	}

	private headerOf({ authHeaderName, authHeaderPrefix }: VoiceAdminCredential): HeaderRecord {
		const name = `${authHeaderName.toLowerCase()}: ${authHeaderPrefix}`;
		const header = this.headers.get(name) ?? { isAccepted: false };
		this.headers.set(name, header);
		if (this.headers.size > MAX_HEADERS) this.headers.delete(this.headers.keys().next().value as string);
		return header;
	}

	/**
	 * Logs in, when there is no token.
	 *
	 * @param way how the login travels; none where n8n lends its own (n8n's `preAuthentication`)
	 * @param failed a request of another node that has failed, in a way that only n8n knows; it is taken for one that was
	 * answered 401
	 * @returns the newest token
	 * @throws LoginError
	 */
	async renew(http: IHttpRequestHelper, credential: VoiceAdminCredential, { way = {}, failed }: { way?: Way; failed?: SentRequest } = {}): Promise<string> {
		if (failed?.token) this.refuse(failed.token, failed.request, credential);
		return this.token || (await this.logInOnce(http, credential, way));
	}

	/** Concurrent callers share one login, and for a while its failure. */
	private async logInOnce(
		http: IHttpRequestHelper,
		credential: VoiceAdminCredential,
		way: Way,
	): Promise<string> {
		if (this.failure && now() < this.failure.until) throw this.failure.error;
		this.signIn ??= this.logIn(http, credential, way)
			.then((token) => {
				this.token = token;
				this.accepted = 0;
				for (const header of this.headers.values()) header.isAccepted = false;
				this.failure = undefined;
				return token;
			})
			.catch((error: unknown) => {
				const isRefusal = error instanceof LoginError && error.isRefusal;
				const memory = isRefusal ? REFUSAL_MEMORY_MS : FAILURE_MEMORY_MS;
				this.failure = { error, until: now() + memory };
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
	const key = fingerprintOf(credential);
	const session = sessions.get(key) ?? new Session();
	// Setting it anew makes it the most recently used, as a Map keeps the order of insertion.
	sessions.delete(key);
	sessions.set(key, session);
	if (sessions.size > MAX_SESSIONS) {
		sessions.delete(sessions.keys().next().value as string);
	}
	return session;
}
