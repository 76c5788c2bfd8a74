import type { IHttpRequestHelper } from 'n8n-workflow';

import { loggerOf } from '../../log';
import { LruCache } from '../../lruCache';
import type { ServiceKey } from '../../serviceKey';
import { CHECK_INTERVAL_MS, time } from '../../time';
import { limiterOf } from '../flow/concurrencyLimiter';
import { Run } from '../flow/run';
import type { VoiceAdminCredential } from './credential';
import { type AccessToken, login as requestToken, LoginError } from './login';
import type { RefusedTokenUse, TokenUse } from './tokenAcceptance';

/** Age from which a new token is judged by its refusals, in milliseconds. */
const NEW_MS = 2_200;

/** Interval between attempts with a refused token, and minimum between logins that fail, in milliseconds. */
const RETRY_INTERVAL_MS = 500;

/** How long another login is not tried where the last one didn't help, in milliseconds. */
const FUTILE_LOGIN_MS = 10_000;

/** Age from which a token is replaced after any response that may mean that it has expired, in milliseconds. */
const OLD_MS = 300_000;

/** A token is renewed at 90 % of its lifetime, at most this long before its end, in milliseconds. */
const MAX_RENEWAL_MARGIN_MS = 60_000;

/** Remembered so that errors don't reveal them. */
const MAX_RECENT_TOKENS = 5;

/** How long a rejected key is remembered, in milliseconds, so that a burst of items doesn't repeat the login. */
const SHARE_REJECTED_KEY_MS = 5_000;

/** Maximum wait for the service without a run (n8n's HTTP Request node), in milliseconds. */
const MAX_WAIT_MS = 30_000;

/** What a login needs; the run's maximum wait applies to it. */
export interface LoginContext {
	n8n: IHttpRequestHelper;
	credential: VoiceAdminCredential;
	run?: Run;
}

/**
 * The access token of one API key in one n8n process. After a 401, the first of three rules that applies says what follows:
 *
 * 1. **Another try may do.** If the newest token is another one, or has been accepted for a request sent since the 401, the request is sent
 *    again with it. If a token that was accepted for others refuses it once more, the request gets its response.
 * 2. **The token may be too new.** Until a request has been refused that was sent at an age of 2.2 seconds, and half a second after the
 *    first 401, all wait: every half second, one of them tries the token again.
 * 3. **The token has ended.** One login for all replaces it. If the last login, less than ten seconds ago, didn't help (nothing has been
 *    accepted since before it), another one wouldn't either: the request gets its response.
 *
 * A token older than five minutes is replaced at once, also by a status that may mean the same (403, 419, 440, 498, a redirect).
 */
export class TokenManager {
	/** `acceptedAt`, `refusedAt`: when the last request was sent for which it was accepted, or refused. */
	private newest = { token: '', issuedAt: 0, renewAt: -Infinity, acceptedAt: -Infinity, refusedAt: -Infinity };

	/** Since when every request has been refused, with whatever token; Infinity if none has. */
	private refusedSince = Infinity;
	private nextTryAt = 0;

	/** Which token was accepted last: none ever, an earlier one, or the newest. */
	lastAccepted: 'none' | 'earlier' | 'newest' = 'none';

	/** The newest last. */
	readonly recentTokens: string[] = [];
	/** The login in progress, or one that failed a moment ago; its result is that of `logIn`. */
	private login = { result: Promise.resolve<boolean | LoginError>(false), sharedUntil: 0 };

	constructor(private readonly log: (message: string) => void) {}

	/** The newest token; undefined if the next request has to log in. */
	get current(): string | undefined {
		return time.now() < this.newest.renewAt ? this.newest.token : undefined;
	}

	/** Makes the next request log in. */
	forget(): void {
		this.newest.renewAt = -Infinity;
	}

	recordAccepted({ token, sentAt }: TokenUse): void {
		if (token !== this.newest.token) return;
		this.lastAccepted = 'newest';
		this.newest.acceptedAt = Math.max(this.newest.acceptedAt, sentAt);
		if (sentAt >= this.refusedSince) this.refusedSince = Infinity;
	}

	/** @param previous how the same request was refused last */
	recordRefused(use: TokenUse, previous?: RefusedTokenUse): RefusedTokenUse {
		const refusedAt = time.now();
		if (use.token === this.newest.token) {
			this.newest.refusedAt = Math.max(this.newest.refusedAt, use.sentAt);
			this.refusedSince = Math.min(this.refusedSince, refusedAt);
		}
		return { ...use, refusedAt, wasTriedAgain: previous?.token === use.token && previous.wasTriedAgain };
	}

	/** Another node's request failed, for a reason that only n8n knows. */
	recordFailureOfOtherNode(use: TokenUse): void {
		if (use.token !== this.newest.token || use.sentAt <= this.newest.acceptedAt) return;
		this.recordRefused(use);
		if (this.isOlderThan(NEW_MS)) this.replaceUnlessFutile();
	}

	/** Applies the rules above. @param isCertain true for a 401 @returns 'wait' to ask again in a moment, 'giveUp' for its response */
	handleRefused(refused: RefusedTokenUse, isCertain: boolean): 'retry' | 'wait' | 'giveUp' {
		const { newest } = this;
		const now = time.now();
		const isOld = this.isOlderThan(OLD_MS);
		if (refused.token !== this.current) return 'retry'; // 1
		if (isOld || !isCertain) return isOld ? this.replaceUnlessFutile() : 'giveUp';
		if (refused.wasTriedAgain) return 'giveUp';
		refused.wasTriedAgain = newest.acceptedAt > refused.refusedAt;
		if (refused.wasTriedAgain) return 'retry'; // 1
		if (newest.refusedAt >= Math.max(newest.issuedAt + NEW_MS, this.refusedSince + RETRY_INTERVAL_MS))
			return this.replaceUnlessFutile(); // 3
		if (now < this.nextTryAt) return 'wait'; // 2
		this.nextTryAt = now + RETRY_INTERVAL_MS;
		return 'retry';
	}

	private replaceUnlessFutile(): 'retry' | 'giveUp' {
		if (this.refusedSince < this.newest.issuedAt && !this.isOlderThan(FUTILE_LOGIN_MS)) return 'giveUp';
		this.forget();
		this.log('access token not accepted');
		return 'retry';
	}

	private isOlderThan(ms: number): boolean {
		return time.now() - this.newest.issuedAt >= ms;
	}

	/**
	 * The newest token, after a login if there is none. Retries it during an outage.
	 * @returns the error of a login that failed; undefined if the run is stopped, or exceeds its maximum wait for the service
	 */
	async get(context: LoginContext): Promise<string | LoginError | undefined> {
		const { credential, run = new Run(1, MAX_WAIT_MS) } = context;
		let outageError: LoginError | undefined;
		for (let mayWait = true; mayWait && this.current === undefined;) {
			const isShared = this.joinOrStartLogin({ ...context, run });
			// Another run may have started it, and wait longer than this one; and it goes on when this one is stopped.
			const interruption = isShared ? time.sleep(CHECK_INTERVAL_MS) : run.stopped;
			const result = await Promise.race([this.login.result, interruption]);
			if (result instanceof LoginError && !result.isOutage) return result;
			if (result instanceof LoginError) outageError = result;
			const hasTime = isShared ? limiterOf(credential).remainingWaitMs(run, 'login') > 0 : result !== false;
			mayWait = hasTime && !run.isStopped;
		}
		return this.current ?? outageError;
	}

	/** Logs in, though there may be a token, to probe the service. @returns whether the login failed otherwise than by an outage */
	async probe(context: Required<LoginContext>): Promise<boolean> {
		this.joinOrStartLogin(context);
		const result = await this.login.result;
		return result instanceof LoginError && !result.isOutage;
	}

	/** @returns whether the login had been started before */
	private joinOrStartLogin(context: Required<LoginContext>): boolean {
		const isShared = time.now() < this.login.sharedUntil;
		// Not at once: while it waits for its turn, the limiter may ask for a login, which must find this one.
		const start = async () => await this.logIn(context);
		if (!isShared) this.login = { result: Promise.resolve().then(start), sharedUntil: Infinity };
		return isShared;
	}

	/** @returns false if the run is stopped, or may wait no longer; an error if the login failed */
	private async logIn({ n8n, credential, run }: Required<LoginContext>): Promise<boolean | LoginError> {
		const limiter = limiterOf(credential);
		const permit = await limiter.acquire(run, { kind: 'login' });
		let shareMs = 0;
		try {
			if (!permit) return false;
			const login = requestToken(n8n, credential, this.recentTokens, limiter.monitor.isApiConfirmed);
			const issued = await login.catch((error: unknown) => {
				if (error instanceof LoginError) return error;
				throw error;
			});
			if (issued instanceof LoginError) {
				const { classification, isKeyRejected } = issued;
				permit.report(classification.health, classification);
				this.log(`login failed (${classification.status ?? 'no response'})`);
				if (!issued.isOutage) shareMs = isKeyRejected ? SHARE_REJECTED_KEY_MS : RETRY_INTERVAL_MS;
				return issued;
			}
			this.store(issued);
			permit.report('healthy');
			this.log('logged in');
			return true;
		} finally {
			this.login.sharedUntil = time.now() + shareMs;
			permit?.release();
		}
	}

	private store({ token, lifetimeMs }: AccessToken): void {
		const issuedAt = time.now();
		const renewAt = issuedAt + lifetimeMs - Math.min(lifetimeMs / 10, MAX_RENEWAL_MARGIN_MS);
		this.newest = { token, issuedAt, renewAt, acceptedAt: -Infinity, refusedAt: -Infinity };
		this.nextTryAt = issuedAt + RETRY_INTERVAL_MS * time.random();
		if (this.lastAccepted === 'newest') this.lastAccepted = 'earlier';
		if (this.recentTokens.push(token) > MAX_RECENT_TOKENS) this.recentTokens.shift();
	}
}

const managers = new LruCache<TokenManager>();

/** The process-wide token manager of a credential's key. */
export function tokenManagerOf(key: ServiceKey): TokenManager {
	return managers.getOrCreate(key.fingerprint, () => new TokenManager(loggerOf(key)));
}
