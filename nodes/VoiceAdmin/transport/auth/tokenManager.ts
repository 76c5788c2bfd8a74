import { sleep } from 'n8n-workflow';
import type { IHttpRequestHelper } from 'n8n-workflow';

import { CacheByKey, MAX_KEYS } from '../flow/cacheByKey';
import { limiterOf } from '../flow/limiters';
import { logDebug } from '../flow/log';
import { now } from '../flow/time';
import { pauseOf } from '../http/classify';
import { retryDelay } from '../http/retryPolicy';
import type { VoiceAdminCredential } from './credential';
import { login, type LoginConnection, LoginError, loginTimeout } from './login';

/** How long a rejected key is remembered, in milliseconds, so that a burst of items does not repeat the login. */
const KEY_REJECTED_MS = 5_000;

/** The same for a login that failed otherwise. */
const LOGIN_FAILED_MS = 500;

/** A token that was accepted in no header is replaced once in this time, in milliseconds. */
const UNPROVEN_MS = 5_000;

/** The same for one that was accepted in another header: it is this header that the service does not take. */
const WRONG_HEADER_MS = 60_000;

/** Maximum number of header names and prefixes that are remembered for one key; the oldest goes first. */
const MAX_HEADERS = 20;

/** The key of a failed login that the service answered, in place of its connection. */
const ANSWERED = '';

/** Maximum number of connections whose failed logins are remembered for one key; the oldest goes first. */
const MAX_FAILURES = 20;

/** How often a login is retried, on behalf of all requests that wait for it. */
const LOGIN_RETRIES = 2;

/** What a 401 means for the request that got it. */
export type Unauthorized =
	/** The token has been replaced meanwhile: send again with the newest. */
	| 'replaced'
	/** The token has expired; the next request logs in. */
	| 'expired'
	/** The service accepted the token for a request sent later, or a new one is not accepted in this header either. */
	| 'doubtful';

/** A request that was sent, by its number, and its token; '' for none. */
export interface SentRequest {
	token: string;
	number: number;
}

/** The access token of one API key in one n8n process. */
export class TokenManager {
	private token = '';

	/** Number of the last-sent request for which the service accepted the newest token; 0 for none. */
	private lastAccepted = 0;

	/** Headers, by name and prefix, in which the service has accepted the newest token. */
	private readonly provenHeaders = new Set<string>();

	/** When a token was last replaced because of a 401 in a header that was not proven, by that header. */
	private readonly replacedAt = new Map<string, number>();

	private requests = 0;

	/** The login that is under way, and how it is sent. */
	private login?: { connection: string; token: Promise<string> };

	/** Logins that failed: for all where the service answered; otherwise by connection, as another time-out or proxy may succeed. */
	private readonly failures = new Map<string, { error: unknown; until: number }>();

	/** The newest token, or '' when the next request has to log in. */
	get current(): string {
		return this.token;
	}

	/** Notes that a request is about to be sent. */
	requestWith(token: string): SentRequest {
		return { token, number: ++this.requests };
	}

	/** The service accepted the token of a request. */
	accepted({ token, number }: SentRequest, credential: VoiceAdminCredential): void {
		if (token !== this.token) return;
		this.lastAccepted = Math.max(this.lastAccepted, number);
		this.provenHeaders.add(headerOf(credential));
		this.replacedAt.delete(headerOf(credential));
	}

	/** The service answered 401 to a request: the token is dropped, unless it is the request or its header that is at fault. */
	invalidate({ token, number }: SentRequest, credential: VoiceAdminCredential): Unauthorized {
		if (token !== this.token) return 'replaced';
		if (this.lastAccepted > number) return 'doubtful';
		const header = headerOf(credential);
		if (!this.provenHeaders.has(header)) {
			// Once, as another process may have logged in meanwhile and made the service forget this token.
			const replaced = this.replacedAt.get(header);
			if (replaced !== undefined && now() - replaced < (this.lastAccepted > 0 ? WRONG_HEADER_MS : UNPROVEN_MS)) return 'doubtful';
			this.replacedAt.set(header, now());
			dropOldest(this.replacedAt, MAX_HEADERS);
		}
		this.token = '';
		logDebug(credential, 'access token not accepted (401)');
		return 'expired';
	}

	/**
	 * The newest token, after a login when there is none. Concurrent callers share one login, and for a while its failure: if
	 * there was no response, only those that connect in the same way.
	 *
	 * @throws LoginError
	 */
	async get(http: IHttpRequestHelper, credential: VoiceAdminCredential, connection: LoginConnection = {}): Promise<string> {
		const { allowUnauthorizedCerts, allowedDomains } = credential;
		const own = JSON.stringify([connection.proxy, loginTimeout(connection), allowUnauthorizedCerts, allowedDomains]);
		while (!this.token) {
			const failure = [ANSWERED, own].map((key) => this.failures.get(key)).find((known) => known && now() < known.until);
			if (failure) throw failure.error;
			this.login ??= { connection: own, token: this.logIn(http, credential, connection, own).finally(() => (this.login = undefined)) };
			const { connection: used, token } = this.login;
			if (used === own) return await token;
			await token.catch(() => {});
		}
		return this.token;
	}

	private async logIn(http: IHttpRequestHelper, credential: VoiceAdminCredential, connection: LoginConnection, own: string): Promise<string> {
		const token = await loginWithRetry(http, credential, connection).catch((error: unknown) => {
			const { isKeyRejected = false, classification, status } = error instanceof LoginError ? error : {};
			const key = status === undefined ? own : ANSWERED;
			const rememberedMs = Math.max(isKeyRejected ? KEY_REJECTED_MS : LOGIN_FAILED_MS, classification?.retryAfterMs ?? 0);
			// Set again as the newest, as the oldest goes first.
			this.failures.delete(key);
			this.failures.set(key, { error, until: now() + rememberedMs });
			dropOldest(this.failures, MAX_FAILURES);
			throw error;
		});
		this.lastAccepted = 0;
		this.provenHeaders.clear();
		this.failures.clear();
		return (this.token = token);
	}
}

/** Logs in with a permit of the key's limiter: a pause that the service asks for holds logins, too. @throws LoginError */
async function loginWithRetry(http: IHttpRequestHelper, credential: VoiceAdminCredential, connection: LoginConnection, attempt = 1): Promise<string> {
	const permit = await limiterOf(credential).acquireForLogin();
	const failed = async (error: unknown) => {
		const { classification, status = 'no response' } = error instanceof LoginError ? error : {};
		const delay = classification && retryDelay(classification, attempt, LOGIN_RETRIES);
		// No pause for a login that is given up: those that wait for it fail at once.
		const pause = classification && delay !== undefined ? pauseOf(classification, delay) : undefined;
		permit.release(classification?.limiterSignal ?? 'ignore', pause);
		logDebug(credential, `login failed (${status}), attempt ${attempt} of ${LOGIN_RETRIES + 1}`);
		if (delay === undefined) throw error;
		if (!pause) await sleep(delay);
		return await loginWithRetry(http, credential, connection, attempt + 1);
	};
	const succeeded = (token: string) => {
		permit.release('success');
		logDebug(credential, 'logged in');
		return token;
	};
	return await login(http, credential, connection).then(succeeded, failed);
}

const managers = new CacheByKey<TokenManager>({ max: MAX_KEYS });

/** The tokens of a credential's key in this process: the same for every node, execution and item with that key. */
export function tokenManagerOf({ fingerprint }: VoiceAdminCredential): TokenManager {
	return managers.get(fingerprint, () => new TokenManager());
}

function headerOf({ authHeaderName, authHeaderPrefix }: VoiceAdminCredential): string {
	return `${authHeaderName.toLowerCase()}: ${authHeaderPrefix}`;
}

function dropOldest(map: Map<string, unknown>, max: number): void {
	if (map.size > max) map.delete(map.keys().next().value as string);
}
