import { logDebug } from '../../log';
import { LruCache } from '../../lruCache';
import { time } from '../../time';
import type { VoiceAdminCredential } from './credential';
import type { AccessToken } from './login';
import { TokenEvidence, type RefusedTokenUse, type TokenUse } from './tokenEvidence';
import { type LoginContext, SharedLogins } from './sharedLogins';

/**
 * A token is young for so long after its login, in milliseconds, and up to a quarter more by chance; after each token in a
 * row that was accepted for nobody, up to once more. So processes do not log in together: there are services that accept a
 * new token only after a moment, and services that accept only the newest token of a key, where processes that each logged
 * in again at once would do nothing else. One that has been accepted is young for half of the time.
 */
const YOUNG_MS = 2_500;

/** A slow login makes the token young for longer, as requests are as slow: by this many times the login's duration, which is capped. */
const YOUNG_PER_LOGIN_TIME = 4;
const MAX_LOGIN_COUNTED_MS = 2_500;

/** How long a refused young token rests before one request tries it again, in milliseconds. */
const TRIAL_INTERVAL_MS = 500;

/** After this many tokens in a row that no request could use, the next one is kept this long, in milliseconds. */
const MAX_UNACCEPTED_IN_ROW = 3;
const KEEP_UNACCEPTED_MS = 60_000;

/**
 * From this age on, in milliseconds, a token may have expired, or lack a new permission, though only some requests are refused, or
 * by another status than 401; so it costs a login in this time at most, as a key without the permission gets the same answer.
 */
const OLD_MS = 300_000;

/** A token is replaced a tenth of its lifetime before it ends, at most this long, in milliseconds. */
const MAX_RENEWAL_MARGIN_MS = 60_000;

/** How many tokens of a key are remembered, so that none of them gets into a message. */
const MAX_RECENT_TOKENS = 5;

/** What a request does whose token was refused. */
type NextStep =
	/** It is sent again, with the newest token, after a login where there is none. */
	| 'retry'
	/** It asks once more in a moment. */
	| 'wait'
	/** It takes the response for its answer. */
	| 'giveUp';

/**
 * The access token of one API key in one n8n process. What follows when a request is refused (401), by the first row that fits:
 * is it the token that the service refuses, or the request (`TokenEvidence`)?
 *
 * | the token … | the request |
 * |---|---|
 * | is not the newest | is sent again, with the newest; one at a time, where the two last were accepted for nobody |
 * | has been accepted for one that was sent after that was known | is sent again; the second time, it gets its response |
 * | is refused to it alone, as the one before, and accepted for nobody and not young; or it has had its response so within five minutes | gets its response |
 * | is young | waits; one at a time tries the token again, and when it is accepted or no longer young, the others follow |
 * | is accepted for nobody, as three before it, or where single requests are refused; and is not a minute old | gets its response |
 * | has been accepted, and was not tried again | waits; one at a time tries the token again |
 * | is any other | is sent again after a login: the token has expired |
 *
 * Another status that may say the same (403, 419, 440, 498, a redirect) is believed of a token that is older than five minutes.
 */
export class TokenManager {
	private token = '';

	/** When the newest token was issued, for how long it is young, and when it is to be replaced. */
	private validity = { issuedAt: 0, youngMs: 0, renewAt: Infinity };

	/** The last tokens of the key, the newest last. */
	readonly recentTokens: string[] = [];

	/** Of the newest token, and of what was singled out before. */
	private readonly evidence = new TokenEvidence();

	/** When the newest token, which was refused, may be tried again; undefined for one that was not refused. */
	private nextTrialAt?: number;

	/** How many tokens in a row before the newest were accepted for nobody. */
	private unacceptedInRow = 0;

	private readonly logins = new SharedLogins(this.recentTokens, (issued, tookMs) => this.store(issued, tookMs));

	/** @param log writes a debug line to n8n's log */
	constructor(private readonly log: (message: string) => void) {}

	/** The newest token, or '' when the next request has to log in. */
	get current(): string {
		return time.now() < this.validity.renewAt ? this.token : '';
	}

	/** Makes the next request log in: the token may lack a permission that the key has been given since. */
	forget(): void {
		this.token = '';
	}

	/** The service accepted the token of a request. */
	recordAccepted(use: TokenUse): void {
		if (use.token === this.token) this.evidence.recordAccepted(use);
	}

	/** The service refused the token of a request. @param previous what came of the same request's attempt before this one */
	recordRefused(use: TokenUse, previous?: RefusedTokenUse): RefusedTokenUse {
		const { token } = use;
		if (token === this.token) {
			this.nextTrialAt ??= time.now() + (this.isYoung ? TRIAL_INTERVAL_MS : 0);
			this.evidence.recordRefused(use);
		}
		return { ...use, refusedAt: time.now(), wasTriedAgain: previous?.token === token && previous.wasTriedAgain };
	}

	/** The request of another node failed, for a reason that only n8n knows: taken for a 401, unless the token has been accepted since. */
	recordFailureOfOtherNode(use: TokenUse): void {
		this.nextStep({ ...use, refusedAt: use.sentAt, wasTriedAgain: true }, true);
	}

	/** What the request does by the table above. @param isCertain whether the service said so by a 401 */
	nextStep(refused: RefusedTokenUse, isCertain: boolean): NextStep {
		const { evidence, validity, isYoung } = this;
		const { isAccepted } = evidence;
		const isNewest = refused.token === this.current;
		const isOld = !isRecent(validity.issuedAt, OLD_MS);
		if (this.current === '' || (!isNewest && (isAccepted || this.unacceptedInRow === 0))) return 'retry';
		if (isNewest) evidence.singleOutIfOthersAccepted(refused);
		if (isNewest && evidence.isAcceptedSince(refused)) return refused.wasTriedAgain ? this.singleOutAndGiveUp(refused) : retryWithSameToken(refused);
		if (!isCertain) return isNewest && isOld ? this.retryWithNewToken() : 'giveUp';
		if (evidence.isRefusedForItself(refused) && !isOld && (isAccepted || !isYoung)) return this.singleOutAndGiveUp(refused);
		if (isYoung) return this.claimTrial() ? 'retry' : 'wait';
		if (!isAccepted && this.isLoginFutile) return 'giveUp';
		if (!isNewest) return 'retry';
		if (!isAccepted || refused.wasTriedAgain) return this.retryWithNewToken();
		return this.claimTrial() ? retryWithSameToken(refused) : 'wait';
	}

	/** Whether a token that is accepted for nobody is kept, as another login would give the same. */
	private get isLoginFutile(): boolean {
		return isRecent(this.validity.issuedAt, KEEP_UNACCEPTED_MS) && (this.evidence.refusesSingleRequests || this.unacceptedInRow >= MAX_UNACCEPTED_IN_ROW);
	}

	private get isYoung(): boolean {
		return time.now() < this.validity.issuedAt + this.validity.youngMs / (this.evidence.isAccepted ? 2 : 1);
	}

	private claimTrial(): boolean {
		if (time.now() < (this.nextTrialAt ?? 0)) return false;
		this.nextTrialAt = time.now() + TRIAL_INTERVAL_MS;
		return true;
	}

	private singleOutAndGiveUp({ requestId }: RefusedTokenUse): NextStep {
		this.evidence.singleOut(requestId);
		return 'giveUp';
	}

	private retryWithNewToken(): NextStep {
		this.forget();
		this.log('access token not accepted');
		return 'retry';
	}

	/**
	 * The newest token, after a login where there is none.
	 * @param needsLogin whether to log in though there is one: where a login has to show that the service is there
	 * @returns '' where the run is over, or may not wait for the service for any longer @throws LoginError
	 */
	async get(context: LoginContext, needsLogin = () => false): Promise<string> {
		const failure = await this.logins.logIn(context, () => this.current === '' || needsLogin());
		if (this.current === '' && failure) throw failure;
		return this.current;
	}

	private store({ token, lifetimeMs = Infinity }: AccessToken, tookMs: number): void {
		const now = time.now();
		this.unacceptedInRow = this.evidence.isRefused && !this.evidence.isAccepted ? this.unacceptedInRow + 1 : 0;
		const youngMs = YOUNG_MS * (1 + time.random() * (this.unacceptedInRow || 1 / 4)) + YOUNG_PER_LOGIN_TIME * Math.min(tookMs, MAX_LOGIN_COUNTED_MS);
		this.validity = { issuedAt: now, youngMs, renewAt: now + lifetimeMs - Math.min(lifetimeMs / 10, MAX_RENEWAL_MARGIN_MS) };
		this.nextTrialAt = undefined;
		this.evidence.resetForNewToken();
		this.recentTokens.push(token);
		this.recentTokens.splice(0, this.recentTokens.length - MAX_RECENT_TOKENS);
		this.token = token;
	}
}

const managers = new LruCache<TokenManager>();

/** The tokens of a credential's key in this process: the same for every node, execution and item with that key. */
export function tokenManagerOf({ baseUrl, fingerprint }: VoiceAdminCredential): TokenManager {
	return managers.get(fingerprint, () => new TokenManager((message) => logDebug({ baseUrl, fingerprint }, message)));
}

function retryWithSameToken(refused: RefusedTokenUse): NextStep {
	refused.wasTriedAgain = true;
	return 'retry';
}

function isRecent(at: number, ms: number): boolean {
	return time.now() - at < ms;
}
