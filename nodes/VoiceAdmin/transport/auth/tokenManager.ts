import type { IHttpRequestHelper } from 'n8n-workflow';

import { CacheByKey } from '../flow/cacheByKey';
import { type ConcurrencyLimiter, limiterOf } from '../flow/concurrencyLimiter';
import { logDebug } from '../../log';
import { RunLimit } from '../flow/runLimit';
import { time, wait } from '../flow/time';
import { isOutage } from '../http/classify';
import type { VoiceAdminCredential } from './credential';
import { type AccessToken, login, type LoginConnection, LoginError, loginTimeout } from './login';

/** How long a rejected key is remembered, in milliseconds, so that a burst of items does not repeat the login. */
const KEY_REJECTED_MS = 5_000;

/** The same for a login that failed otherwise. */
const LOGIN_FAILED_MS = 500;

/** How long a login waits for its service where no run says so, as for n8n's HTTP Request node, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/**
 * A token is young for so long after its login, in milliseconds, and up to a quarter more by chance; after each token in a
 * row that was accepted for nobody, up to once more. So processes do not log in together: there are services that accept a
 * new token only after a moment, and services that accept only the newest token of a key, where processes that each logged
 * in again at once would do nothing else. One that has been accepted is young for half of the time.
 */
const YOUNG_MS = 2_500;

/** It is young for longer by so many times what the login took (of which at most so many milliseconds count), as requests are as slow. */
const LOGIN_TIMES = 4;
const MAX_LOGIN_MS = 2_500;

/** After so long a request tries a young token again that was refused, in milliseconds. */
const TRIAL_MS = 500;

/** After so many tokens in a row that were accepted for nobody, one more is kept for this time, in milliseconds. */
const MAX_IN_VAIN = 2;
const KEPT_MS = 60_000;

/** For so long after a single request was refused, the next one may be so too, and the same one with the same token is, in milliseconds. */
const OBJECT_REFUSED_MS = 300_000;

/**
 * From this age on, in milliseconds, another status than 401 may say that a token has expired, or lacks a new permission; so it
 * costs one login in this time, as a key without the permission gets the same answer.
 */
const SUSPECT_AFTER_MS = 300_000;

/** A token is replaced so long before it ends: a tenth of its lifetime, in milliseconds at most. */
const MAX_MARGIN_MS = 60_000;

/** How many tokens of a key are remembered, so that none of them gets into a message. */
const MAX_TOKENS = 5;

/** What follows for a request whose token was refused. */
export type Verdict =
	/** It is sent again, with the newest token, after a login where there is none. */
	| 'again'
	/** To be asked for again in a moment. */
	| 'wait'
	/** The response is its answer. */
	| 'final';

/** A request that was sent, and its token; '' for none. */
export interface SentRequest {
	/** Path of a GET; that of another method does not tell what it is for. */
	target?: string;
	token: string;
	sentAt: number;
}

/** That a request's token was refused. */
export interface RefusedToken extends SentRequest {
	/** When that became known. */
	at: number;
	/** Whether the request was sent again with it, though the token was no longer young. */
	wasTriedAgain: boolean;
}

/** A login that concurrent callers share, and for a while its failure. */
interface SharedLogin {
	login?: Promise<string>;
	/** When the next caller begins another one. */
	until: number;
}

/**
 * The access token of one API key in one n8n process. What follows when a request is refused (401), by its token:
 *
 * | the token … | the request |
 * |---|---|
 * | is not the newest | is sent again, with the newest; one at a time, where the two last were accepted for nobody |
 * | has been accepted for one that was sent after it was refused | is sent again; the second time, it gets its response |
 * | was refused to the same GET in the last five minutes, though accepted for others | gets its response |
 * | is young | waits; one at a time tries the token again, and when it is accepted or no longer young, the others follow |
 * | is accepted for nobody, as two before it, or where the service refuses single objects; for a minute | gets its response |
 * | has been accepted | waits; one at a time tries the token again |
 * | is any other, or was tried again | is sent again after a login: the token has expired |
 *
 * Another status that may say the same (403, 419, 440, 498, a redirect) is believed of a token that is older than five minutes.
 */
export class TokenManager {
	private token = '';

	/** When the newest token was issued, for how long it is young, and when it is to be replaced. */
	private age = { issuedAt: 0, youngMs: 0, endsAt: Infinity };

	/** The last tokens of the key, the newest last. */
	readonly issued: string[] = [];

	/** When the last-sent request was sent for which the service accepted the newest token; 0 for none. */
	private lastAccepted = 0;

	/** When the newest token, which was refused, may be tried again; undefined for one that was not refused. */
	private trialAt?: number;

	/** How many tokens in a row before the newest were accepted for nobody. */
	private inVain = 0;

	/** When a request was last refused though the service accepted one that was sent later, with the same token. */
	private objectRefusedAt = -Infinity;

	/** With which token, and when, a GET was refused though the service accepted others, by its path. */
	private readonly refusedObjects = new CacheByKey<{ token: string; at: number }>();

	/** Logins by how they are sent, as another time-out or proxy may succeed: those under way, and for a while those that failed. */
	private readonly logins = new CacheByKey<SharedLogin>();

	/** The newest token, or '' when the next request has to log in. */
	get current(): string {
		return time.now() < this.age.endsAt ? this.token : '';
	}

	/** Makes the next request log in: the token may lack a permission that the key has been given since. */
	forget(): void {
		this.token = '';
	}

	/** The service accepted the token of a request. */
	accepted({ token, sentAt }: SentRequest): void {
		if (token === this.token) this.lastAccepted = Math.max(this.lastAccepted, sentAt);
	}

	/** The service refused the token of a request. @param before what came of the same request's attempt before this one */
	refused(sent: SentRequest, before?: RefusedToken): RefusedToken {
		if (sent.token === this.token) this.trialAt ??= time.now() + (this.isYoung ? TRIAL_MS : 0);
		return { ...sent, at: time.now(), wasTriedAgain: before?.token === sent.token && before.wasTriedAgain };
	}

	/** What follows by the table above. @param isCertain whether the service said so by a 401 */
	verdict(refused: RefusedToken, credential: VoiceAdminCredential, isCertain: boolean): Verdict {
		const { target, token, at, wasTriedAgain } = refused;
		const known = target === undefined ? undefined : this.refusedObjects.get(target, () => ({ token: '', at: 0 }));
		const isNewest = token === this.current;
		const isAccepted = this.lastAccepted > 0;
		if (this.current === '' || (!isNewest && (isAccepted || this.inVain === 0))) return 'again';
		const isOfObject = (): Verdict => {
			if (known) Object.assign(known, { token, at: time.now() });
			return 'final';
		};
		if (isNewest && this.lastAccepted > at) {
			refused.wasTriedAgain = true;
			if (!wasTriedAgain) return 'again';
			this.objectRefusedAt = time.now();
			return isOfObject();
		}
		if (!isCertain) return isNewest && time.now() - this.age.issuedAt >= SUSPECT_AFTER_MS ? this.replace(credential) : 'final';
		if (isNewest && known?.token === token && isRecent(known.at, OBJECT_REFUSED_MS)) return 'final';
		if (this.isYoung) return this.mayTry() ? 'again' : 'wait';
		const isLikelyObject = isRecent(this.objectRefusedAt, OBJECT_REFUSED_MS);
		if (!isAccepted && (isLikelyObject || this.inVain >= MAX_IN_VAIN) && isRecent(this.age.issuedAt, KEPT_MS)) return isOfObject();
		if (!isNewest) return 'again';
		if (!isAccepted || wasTriedAgain) return this.replace(credential);
		if (!this.mayTry()) return 'wait';
		refused.wasTriedAgain = true;
		return 'again';
	}

	private get isYoung(): boolean {
		return time.now() < this.age.issuedAt + this.age.youngMs / (this.lastAccepted > 0 ? 2 : 1);
	}

	private mayTry(): boolean {
		if (time.now() < (this.trialAt ?? 0)) return false;
		this.trialAt = time.now() + TRIAL_MS;
		return true;
	}

	private replace(credential: VoiceAdminCredential): Verdict {
		this.token = '';
		logDebug(credential, 'access token not accepted');
		return 'again';
	}

	/**
	 * The newest token, after a login when there is none, which waits for its service for as long as the run may. Callers that
	 * connect in the same way share it.
	 *
	 * @param isProbe whether to log in, though there is a token, where a login has to show that the service is there
	 * @returns '' where the run is over, or may not wait for any longer @throws LoginError
	 */
	async get(
		http: IHttpRequestHelper,
		credential: VoiceAdminCredential,
		connection: LoginConnection = {},
		run = new RunLimit(1, MAX_WAIT_MS),
		limiter = limiterOf(credential),
		isProbe = false,
	): Promise<string> {
		const { allowUnauthorizedCerts, allowedDomains } = credential;
		const connectionKey = JSON.stringify([connection.proxy, loginTimeout(connection), allowUnauthorizedCerts, allowedDomains]);
		let last: LoginError | undefined;
		while (this.current === '' || (isProbe && limiter.breakerOf('create').needsLogin)) {
			const shared = this.logins.get(connectionKey, () => ({ until: 0 }));
			const isBegun = time.now() < shared.until;
			const { outage } = limiter.breaker;
			if (isBegun && outage) {
				// The run that began it may wait for longer.
				await wait(run.waitsUntil(outage.since, Infinity) - time.now(), () => shared.until < Infinity || run.isClosed);
				if (shared.until === Infinity) break;
			}
			if (!isBegun) shared.login = this.logIn(shared, http, credential, connection, run, limiter);
			const token = await shared.login!.catch((error: unknown) => {
				if (!(error instanceof LoginError && isOutage(error.classification))) throw error;
				last = error;
			});
			// Without a token, only the run that began it may not wait for any longer.
			if (token === '' && !isBegun) break;
		}
		if (this.current === '' && last) throw last;
		return this.current;
	}

	/** @returns '' where it was not sent @throws LoginError */
	private async logIn(
		shared: SharedLogin,
		http: IHttpRequestHelper,
		credential: VoiceAdminCredential,
		connection: LoginConnection,
		run: RunLimit,
		limiter: ConcurrencyLimiter,
	): Promise<string> {
		const share = (ms: number) => void (shared.until = time.now() + ms);
		share(Infinity);
		const permit = await run.acquire(limiter, { kind: 'login' });
		if (!permit) {
			share(0);
			return '';
		}
		const startedAt = time.now();
		const succeeded = (issued: AccessToken) => {
			permit.report('success');
			this.issue(issued, time.now() - startedAt);
			logDebug(credential, 'logged in');
			share(0);
			return issued.token;
		};
		const failed = (error: unknown) => {
			const { classification, status, isKeyRejected } = error instanceof LoginError ? error : ({} as Partial<LoginError>);
			permit.report(classification?.signal ?? 'ignore', { retryAfterMs: classification?.retryAfterMs, status });
			logDebug(credential, `login failed (${status ?? 'no response'})`);
			share(isKeyRejected ? KEY_REJECTED_MS : classification && isOutage(classification) ? 0 : LOGIN_FAILED_MS);
			throw error;
		};
		return await login(http, credential, connection, this.issued).then(succeeded, failed).finally(() => permit.release());
	}

	private issue({ token, lifetimeMs = Infinity }: AccessToken, tookMs: number): void {
		const now = time.now();
		this.inVain = this.trialAt !== undefined && this.lastAccepted === 0 ? this.inVain + 1 : 0;
		const youngMs = YOUNG_MS * (1 + time.random() * (this.inVain || 1 / 4)) + LOGIN_TIMES * Math.min(tookMs, MAX_LOGIN_MS);
		this.age = { issuedAt: now, youngMs, endsAt: now + lifetimeMs - Math.min(lifetimeMs / 10, MAX_MARGIN_MS) };
		this.trialAt = undefined;
		this.lastAccepted = 0;
		this.issued.push(token);
		this.issued.splice(0, this.issued.length - MAX_TOKENS);
		this.token = token;
	}
}

const managers = new CacheByKey<TokenManager>();

/** The tokens of a credential's key in this process: the same for every node, execution and item with that key. */
export function tokenManagerOf({ fingerprint }: VoiceAdminCredential): TokenManager {
	return managers.get(fingerprint, () => new TokenManager());
}

function isRecent(at: number, ms: number): boolean {
	return time.now() - at < ms;
}
