import { loggerOf } from '../../log';
import { LruCache } from '../../lruCache';
import type { ServiceKey } from '../../serviceKey';
import { time } from '../../time';
import type { AccessToken } from './login';
import { TokenAcceptance, type RefusedTokenUse, type TokenUse } from './tokenAcceptance';
import { type LoginContext, SharedLogins } from './sharedLogins';

/**
 * Grace period of a new token, in milliseconds, during which a 401 shows nothing. Jitter adds up to a quarter, or up to
 * once more for each of the last three tokens if none was accepted. Once accepted, a token has half of it. Some
 * services accept a new token only after a moment; others accept only a key's newest token, so processes that logged in
 * again at once would invalidate each other's tokens forever.
 */
const GRACE_PERIOD_MS = 2_500;

/** After a slow login, requests are slow too: adds this multiple of the login's duration, which is capped. */
const GRACE_PER_LOGIN_TIME = 4;
const MAX_LOGIN_COUNTED_MS = 2_500;

/** Interval between probes with a refused token, in milliseconds. */
const PROBE_INTERVAL_MS = 500;

/** After this many consecutive tokens that were never accepted, the next one is kept this long, in milliseconds. */
const MAX_UNACCEPTED_IN_ROW = 3;
const KEEP_UNACCEPTED_MS = 60_000;

/**
 * From this age on, in milliseconds, a token may have expired or lack a new permission even if the service refuses only some requests, or
 * with a status other than 401. A key without the permission therefore costs at most one login per interval.
 */
const OLD_MS = 300_000;

/** A token is renewed at 90 % of its lifetime, at most this long before its end, in milliseconds. */
const MAX_RENEWAL_MARGIN_MS = 60_000;

/** Remembered so that errors don't reveal them. */
const MAX_RECENT_TOKENS = 5;

/** What to do after a refused token. */
type NextStep =
	/** Send the request again with the newest token, after a login if there is none. */
	| 'retry'
	/** Ask again in a moment. */
	| 'wait'
	/** Accept the response. */
	| 'giveUp';

/**
 * The access token of one API key in one n8n process. What follows a 401 depends on whether the service refuses the token or the request
 * (`TokenAcceptance`); the first matching row applies:
 *
 * | # | the newest token … | the refused request |
 * |---|---|---|
 * | 1 | does not exist; or is another one, and it or the one before it was accepted for a request | is sent again, with the newest |
 * | 2 | was accepted for a request sent after the 401 arrived | is sent again; the second time, it gets its response |
 * | 3 | is not old, and was accepted for a request or its grace period is over; and this request is refused whatever its token | gets its response |
 * | 4 | is in its grace period | waits; one at a time probes, and when the token is accepted or the period is over, the others follow |
 * | 5 | was accepted for no request, like three before it, or where single requests are refused; and is not a minute old | gets its response |
 * | 6 | has been accepted, and was refused for this request once | waits; one at a time probes |
 * | 7 | anything else | is sent again, after a login if the newest token was refused for it: that has expired |
 *
 * Other statuses that may mean the same (403, 419, 440, 498, a redirect) count only for a token older than five minutes.
 */
export class TokenManager {
	private token?: string;

	private validity = { gracePeriodMs: 0, renewAt: Infinity };

	/** The newest last. */
	readonly recentTokens: string[] = [];

	private readonly acceptance = new TokenAcceptance();

	/** When the refused newest token may be tried again; undefined if it was not refused. */
	private nextProbeAt?: number;

	/** Whether requests of other nodes failed with the newest token, and with how many before it. Of their successes n8n says nothing. */
	private ofOtherNodes = { hasFailed: false, failedInRow: 0 };

	/** Consecutive tokens before the newest that were never accepted. */
	private unacceptedInRow = 0;

	private readonly logins = new SharedLogins(this.recentTokens, (issued, tookMs) => this.store(issued, tookMs));

	constructor(private readonly log: (message: string) => void) {}

	/** The newest token; undefined if the next request has to log in. */
	get current(): string | undefined {
		return time.now() < this.validity.renewAt ? this.token : undefined;
	}

	/** Makes the next request log in. */
	forget(): void {
		this.token = undefined;
	}

	recordAccepted(use: TokenUse): void {
		if (use.token === this.token) this.acceptance.recordAccepted(use);
	}

	/** @param previous how the same request was refused last */
	recordRefused(use: TokenUse, previous?: RefusedTokenUse): RefusedTokenUse {
		if (use.token === this.token) {
			this.nextProbeAt ??= time.now() + (this.isInGracePeriod ? PROBE_INTERVAL_MS : 0);
			this.acceptance.recordRefused(use);
		}
		return { ...use, refusedAt: time.now(), wasTriedAgain: previous?.token === use.token && previous.wasTriedAgain };
	}

	/** Another node's request failed, for a reason that only n8n knows: counts as a 401, unless the token was accepted since. */
	recordFailureOfOtherNode(use: TokenUse): void {
		const isNewFutile =
			this.ofOtherNodes.failedInRow >= MAX_UNACCEPTED_IN_ROW && isRecent(this.acceptance.issuedAt, KEEP_UNACCEPTED_MS);
		this.ofOtherNodes.hasFailed ||= use.token === this.token;
		if (!isNewFutile) this.handleRefused({ ...use, refusedAt: use.sentAt, wasTriedAgain: true }, true);
	}

	/**
	 * Applies the numbered rows of the table above; may discard the token, begin a probe, and mark `refused` as tried
	 * again.
	 * @param isCertain true for a 401
	 */
	handleRefused(refused: RefusedTokenUse, isCertain: boolean): NextStep {
		const {
			current,
			acceptance,
			acceptance: { isAccepted },
			isInGracePeriod,
		} = this;
		const isNewest = refused.token === current;
		const isOld = !isRecent(this.acceptance.issuedAt, OLD_MS);
		if (current === undefined || (!isNewest && (isAccepted || this.unacceptedInRow === 0))) return 'retry'; // 1
		if (isNewest) acceptance.singleOutIfOthersAccepted(refused);
		if (isNewest && acceptance.isAcceptedSince(refused))
			return refused.wasTriedAgain ? this.singleOutAndGiveUp(refused) : retryWithSameToken(refused); // 2
		if (!isCertain) return isNewest && isOld ? this.retryWithNewToken() : 'giveUp'; // Other statuses
		if (acceptance.isRefusedForItself(refused) && !isOld && (isAccepted || !isInGracePeriod))
			return this.singleOutAndGiveUp(refused); // 3
		if (isInGracePeriod) return this.claimProbe() ? 'retry' : 'wait'; // 4
		if (!isAccepted && this.isLoginFutile) return 'giveUp'; // 5
		if (isNewest && isAccepted && !refused.wasTriedAgain)
			return this.claimProbe() ? retryWithSameToken(refused) : 'wait'; // 6
		return isNewest ? this.retryWithNewToken() : 'retry'; // 7
	}

	/** Whether another login would probably return a token that is not accepted either. */
	private get isLoginFutile(): boolean {
		return (
			isRecent(this.acceptance.issuedAt, KEEP_UNACCEPTED_MS) &&
			(this.acceptance.refusesSingleRequests || this.unacceptedInRow >= MAX_UNACCEPTED_IN_ROW)
		);
	}

	private get isInGracePeriod(): boolean {
		return time.now() < this.acceptance.issuedAt + this.validity.gracePeriodMs / (this.acceptance.isAccepted ? 2 : 1);
	}

	private claimProbe(): boolean {
		if (time.now() < (this.nextProbeAt ?? 0)) return false;
		this.nextProbeAt = time.now() + PROBE_INTERVAL_MS;
		return true;
	}

	private singleOutAndGiveUp({ requestId }: RefusedTokenUse): NextStep {
		this.acceptance.singleOut(requestId, 'certain');
		return 'giveUp';
	}

	private retryWithNewToken(): NextStep {
		this.forget();
		this.log('access token not accepted');
		return 'retry';
	}

	/**
	 * The newest token, after a login if there is none.
	 * @param needsLogin forces a login, as a probe of the service
	 * @returns undefined if the run is stopped, or exceeds its maximum wait for the service @throws LoginError
	 */
	async get(context: LoginContext, needsLogin = () => false): Promise<string | undefined> {
		const failure = await this.logins.logIn(context, () => this.current === undefined || needsLogin());
		if (this.current === undefined && failure) throw failure;
		return this.current;
	}

	private store({ token, lifetimeMs = Infinity }: AccessToken, tookMs: number): void {
		const now = time.now();
		const { isAccepted, isRefused } = this.acceptance;
		this.unacceptedInRow = isRefused && !isAccepted ? this.unacceptedInRow + 1 : 0;
		this.ofOtherNodes = {
			hasFailed: false,
			failedInRow: this.ofOtherNodes.hasFailed && !isAccepted ? this.ofOtherNodes.failedInRow + 1 : 0,
		};
		const jitter = Math.min(this.unacceptedInRow, MAX_UNACCEPTED_IN_ROW) || 1 / 4;
		const gracePeriodMs =
			GRACE_PERIOD_MS * (1 + time.random() * jitter) + GRACE_PER_LOGIN_TIME * Math.min(tookMs, MAX_LOGIN_COUNTED_MS);
		this.validity = { gracePeriodMs, renewAt: now + lifetimeMs - Math.min(lifetimeMs / 10, MAX_RENEWAL_MARGIN_MS) };
		this.nextProbeAt = undefined;
		this.acceptance.resetForNewToken();
		this.recentTokens.push(token);
		this.recentTokens.splice(0, this.recentTokens.length - MAX_RECENT_TOKENS);
		this.token = token;
	}
}

const managers = new LruCache<TokenManager>();

/** The process-wide token manager of a credential's key. */
export function tokenManagerOf(key: ServiceKey): TokenManager {
	return managers.getOrCreate(key.fingerprint, () => new TokenManager(loggerOf(key)));
}

function retryWithSameToken(refused: RefusedTokenUse): NextStep {
	refused.wasTriedAgain = true;
	return 'retry';
}

function isRecent(at: number, ms: number): boolean {
	return time.now() - at < ms;
}
