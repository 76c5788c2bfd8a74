import type { IHttpRequestHelper } from 'n8n-workflow';

import { CacheByKey, MAX_KEYS } from '../flow/cacheByKey';
import { limiterOf } from '../flow/limiters';
import { logDebug } from '../flow/log';
import { time } from '../flow/time';
import { pauseOf } from '../http/classify';
import { retryDelay } from '../http/retryPolicy';
import type { VoiceAdminCredential } from './credential';
import { type AccessToken, login, type LoginConnection, LoginError, loginTimeout } from './login';

/** How long a rejected key is remembered, in milliseconds, so that a burst of items does not repeat the login. */
const KEY_REJECTED_MS = 5_000;

/** The same for a login that failed otherwise. */
const LOGIN_FAILED_MS = 500;

/**
 * A token that is not accepted is kept for so long after its login, in milliseconds: there are services that accept a new
 * token only after a moment, and services that accept only the newest token of a key, where processes that each logged in
 * again at once would do nothing else. Up to half as much more, by chance, so that processes do not log in together.
 */
const YOUNG_MS = 2_500;

/** Where the token before it was never accepted, the new one is kept for a time up to this, in milliseconds. */
const YOUNG_AGAIN_MS = 1_000;

/** Both times are extended by so many times what the login took (of which at most so many milliseconds count), as requests are as slow. */
const LOGIN_TIMES = 4;
const MAX_LOGIN_MS = 2_500;

/** After so many tokens in a row that were never accepted, or where only one node's header is not, a token is replaced once in `REPLACED_ONCE_IN_MS`. */
const MAX_IN_VAIN = 3;

const REPLACED_ONCE_IN_MS = 60_000;

/** From this age on, in milliseconds, another status than 401 may say that a token has expired, or lacks a new permission … */
const SUSPECT_AFTER_MS = 60_000;

/** … and is believed once in this time, in milliseconds, as a key without the permission gets the same answer. */
const SUSPECTED_ONCE_IN_MS = 300_000;

/** A token is replaced so long before it ends: a tenth of its lifetime, in milliseconds at most. */
const MAX_MARGIN_MS = 60_000;

/** How many tokens of a key are remembered, so that none of them gets into a message. */
const MAX_TOKENS = 5;

/** Maximum number of header names and prefixes that are remembered for one key; the oldest goes first. */
const MAX_HEADERS = 20;

/** The key of a failed login that the service answered, in place of its connection. */
const ANSWERED = '';

/** Maximum number of connections whose failed logins are remembered for one key; the oldest goes first. */
const MAX_FAILURES = 20;

/** How often a login is retried, on behalf of all requests that wait for it. */
const LOGIN_RETRIES = 2;

/** What it means for a request that its token was not accepted. */
export type Unauthorized =
	/** The token has been replaced meanwhile: send again with the newest. */
	| 'retryWithNewToken'
	/** It may not be valid yet, or not be the newest of its key: send again after a while. */
	| 'retryLater'
	/** The token has expired; the next request logs in. */
	| 'logInAgain'
	/** The service accepted the token for a request sent later: send again, to see whether it has expired since. */
	| 'retryWithSameToken'
	/** It is not the token's fault. */
	| 'giveUp';

/** A request that was sent, by its number, and its token; '' for none. */
export interface SentRequest {
	token: string;
	number: number;
}

/** The access token of one API key in one n8n process. */
export class TokenManager {
	private token = '';

	/** When the newest token was issued, until when it is young, and when it is to be replaced. */
	private age = { issuedAt: 0, youngUntil: 0, endsAt: Infinity };

	/** The last tokens of the key, the newest last. */
	readonly issued: string[] = [];

	/** Number of the last-sent request for which the service accepted the newest token; 0 for none. */
	private lastAccepted = 0;

	/** Headers, by name and prefix, in which the service has accepted the newest token. */
	private readonly provenHeaders = new Set<string>();

	/** How many tokens in a row were accepted in no header. */
	private inVain = 0;

	/** When a token was last replaced in a header that was not proven, by that header. */
	private readonly replacedAt = new Map<string, number>();

	/** When a token was last replaced for another status than 401. */
	private suspectedAt = -Infinity;

	private requests = 0;

	/** Logins that are under way, by how they are sent. */
	private readonly logins = new Map<string, Promise<string>>();

	/** Logins that failed: for all where the service answered; otherwise by connection, as another time-out or proxy may succeed. */
	private readonly failures = new Map<string, { error: unknown; until: number }>();

	/** The newest token, or '' when the next request has to log in. */
	get current(): string {
		if (time.now() >= this.age.endsAt) this.token = '';
		return this.token;
	}

	/** Makes the next request log in: the token may lack a permission that the key has been given since. */
	forget(): void {
		this.token = '';
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
		this.inVain = 0;
	}

	/**
	 * The service did not accept the token of a request: it is dropped, unless it is young, or it is the request or its
	 * header that is at fault. @param isCertain whether it said so by a 401, and not by a status that has other meanings too
	 */
	refused({ token, number }: SentRequest, credential: VoiceAdminCredential, isCertain: boolean): Unauthorized {
		if (token !== this.current) return 'retryWithNewToken';
		if (this.lastAccepted > number) return isCertain ? 'retryWithSameToken' : 'giveUp';
		if (!(isCertain ? this.mayReplace(headerOf(credential)) : this.maySuspect())) return isCertain && time.now() < this.age.youngUntil ? 'retryLater' : 'giveUp';
		if (this.lastAccepted === 0) this.inVain++;
		this.token = '';
		logDebug(credential, 'access token not accepted');
		return 'logInAgain';
	}

	private mayReplace(header: string): boolean {
		if (this.provenHeaders.has(header)) return time.now() >= this.age.youngUntil;
		const isHeaderAtFault = this.lastAccepted > 0;
		if (!isHeaderAtFault && time.now() < this.age.youngUntil) return false;
		if (isHeaderAtFault || this.inVain >= MAX_IN_VAIN) {
			if (time.now() - (this.replacedAt.get(header) ?? -Infinity) < REPLACED_ONCE_IN_MS) return false;
		}
		this.replacedAt.delete(header);
		this.replacedAt.set(header, time.now());
		dropOldest(this.replacedAt, MAX_HEADERS);
		return true;
	}

	private maySuspect(): boolean {
		if (time.now() - this.age.issuedAt < SUSPECT_AFTER_MS || time.now() - this.suspectedAt < SUSPECTED_ONCE_IN_MS) return false;
		this.suspectedAt = time.now();
		return true;
	}

	/**
	 * The newest token, after a login when there is none. Concurrent callers that connect in the same way share one login,
	 * and for a while its failure; if the service answered, all do.
	 *
	 * @throws LoginError
	 */
	async get(http: IHttpRequestHelper, credential: VoiceAdminCredential, connection: LoginConnection = {}): Promise<string> {
		if (this.current) return this.token;
		const { allowUnauthorizedCerts, allowedDomains } = credential;
		const connectionKey = JSON.stringify([connection.proxy, loginTimeout(connection), allowUnauthorizedCerts, allowedDomains]);
		const failure = [ANSWERED, connectionKey].map((key) => this.failures.get(key)).find((known) => known && time.now() < known.until);
		if (failure) throw failure.error;
		const login = this.logins.get(connectionKey) ?? this.logIn(http, credential, connection, connectionKey).finally(() => this.logins.delete(connectionKey));
		this.logins.set(connectionKey, login);
		return await login;
	}

	private async logIn(http: IHttpRequestHelper, credential: VoiceAdminCredential, connection: LoginConnection, connectionKey: string): Promise<string> {
		const startedAt = time.now();
		const { token, lifetimeMs = Infinity } = await loginWithRetry(http, credential, connection, this.issued).catch((error: unknown) => {
			const { isKeyRejected = false, classification, status } = error instanceof LoginError ? error : {};
			const key = status === undefined ? connectionKey : ANSWERED;
			const rememberedMs = Math.max(isKeyRejected ? KEY_REJECTED_MS : LOGIN_FAILED_MS, classification?.retryAfterMs ?? 0);
			// Set again as the newest, as the oldest goes first.
			this.failures.delete(key);
			this.failures.set(key, { error, until: time.now() + rememberedMs });
			dropOldest(this.failures, MAX_FAILURES);
			throw error;
		});
		this.lastAccepted = 0;
		this.provenHeaders.clear();
		this.failures.clear();
		const base = this.inVain === 0 ? YOUNG_MS * (1 + time.random() / 2) : YOUNG_AGAIN_MS * time.random();
		const youngMs = base + LOGIN_TIMES * Math.min(time.now() - startedAt, MAX_LOGIN_MS);
		const endsAt = time.now() + lifetimeMs - Math.min(lifetimeMs / 10, MAX_MARGIN_MS);
		this.age = { issuedAt: time.now(), youngUntil: time.now() + youngMs, endsAt };
		this.issued.push(token);
		if (this.issued.length > MAX_TOKENS) this.issued.shift();
		return (this.token = token);
	}
}

/**
 * Logs in with a permit of the key's limiter: a pause that the service asks for holds logins, too.
 * @param known tokens that must not get into a message @throws LoginError
 */
async function loginWithRetry(
	http: IHttpRequestHelper,
	credential: VoiceAdminCredential,
	connection: LoginConnection,
	known: string[],
	attempt = 1,
): Promise<AccessToken> {
	const permit = await limiterOf(credential).acquireForLogin();
	const failed = async (error: unknown) => {
		const { classification, status = 'no response' } = error instanceof LoginError ? error : {};
		const delay = classification && retryDelay(classification, attempt, LOGIN_RETRIES);
		// No pause for a login that is given up: those that wait for it fail at once.
		const pause = classification && delay !== undefined ? pauseOf(classification, delay) : undefined;
		permit.release(classification?.limiterSignal ?? 'ignore', pause);
		logDebug(credential, `login failed (${status}), attempt ${attempt} of ${LOGIN_RETRIES + 1}`);
		if (delay === undefined) throw error;
		if (!pause) await time.sleep(delay);
		return await loginWithRetry(http, credential, connection, known, attempt + 1);
	};
	const succeeded = (token: AccessToken) => {
		permit.release('success');
		logDebug(credential, 'logged in');
		return token;
	};
	return await login(http, credential, connection, known).then(succeeded, failed);
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
