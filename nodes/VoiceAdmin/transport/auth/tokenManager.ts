import { logDebug } from '../../log';
import { CacheByKey } from '../flow/cacheByKey';
import { time } from '../flow/time';
import type { VoiceAdminCredential } from './credential';
import type { AccessToken } from './login';
import { type LoginContext, SharedLogins } from './sharedLogin';

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
const MAX_NEVER_ACCEPTED = 2;
const KEPT_MS = 60_000;

/**
 * From this age on, in milliseconds, a token may have expired, or lack a new permission, though only some requests are refused, or
 * by another status than 401; so it costs a login in this time at most, as a key without the permission gets the same answer.
 */
const OLD_MS = 300_000;

/** A token is replaced so long before it ends: a tenth of its lifetime, in milliseconds at most. */
const MAX_MARGIN_MS = 60_000;

/** How many tokens of a key are remembered, so that none of them gets into a message. */
const MAX_TOKENS = 5;

/** What a request does whose token was refused. */
export type NextStep =
	/** It is sent again, with the newest token, after a login where there is none. */
	| 'sendAgain'
	/** It asks once more in a moment. */
	| 'wait'
	/** It takes the response for its answer. */
	| 'giveUp';

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
	/** Whether the service accepted its token for others that were sent before it and after it, or with it: it may be refused for itself. */
	isSuspect: boolean;
}

/**
 * The access token of one API key in one n8n process. What follows when a request is refused (401), by its token:
 *
 * | the token … | the request |
 * |---|---|
 * | is not the newest | is sent again, with the newest; one at a time, where the two last were accepted for nobody |
 * | has been accepted for one that was sent after it was refused | is sent again; the second time, it gets its response |
 * | was refused to the same GET before, though accepted for others, and is not five minutes old | gets its response |
 * | is young | waits; one at a time tries the token again, and when it is accepted or no longer young, the others follow |
 * | is accepted for nobody, as two before it; or it is refused again alone, and was so beside others; the token is not a minute old | gets its response |
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

	/** When the first and the last request were sent for which the service accepted the newest token; Infinity and 0 for none. */
	private firstAccepted = Infinity;

	private lastAccepted = 0;

	/** When the newest token, which was refused, may be tried again; undefined for one that was not refused. */
	private trialAt?: number;

	/** How many tokens in a row before the newest were accepted for nobody. */
	private neverAccepted = 0;

	/** Whether the newest token was refused to a request that is not suspect. */
	private isRefusedToOthers = false;

	/** Paths of the GETs that gave up with the newest token. */
	private readonly givenUp = new Set<string>();

	private readonly logins = new SharedLogins(this.issued, (issued, tookMs) => this.store(issued, tookMs));

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
		if (token !== this.token) return;
		this.firstAccepted = Math.min(this.firstAccepted, sentAt);
		this.lastAccepted = Math.max(this.lastAccepted, sentAt);
	}

	/** The service refused the token of a request. @param before what came of the same request's attempt before this one */
	refused(sent: SentRequest, before?: RefusedToken): RefusedToken {
		if (sent.token === this.token) {
			this.trialAt ??= time.now() + (this.isYoung ? TRIAL_MS : 0);
			this.isRefusedToOthers ||= before?.isSuspect !== true;
		}
		return { ...sent, at: time.now(), wasTriedAgain: before?.token === sent.token && before.wasTriedAgain, isSuspect: before?.isSuspect ?? false };
	}

	/** What the request does by the table above. @param isCertain whether the service said so by a 401 */
	nextStep(refused: RefusedToken, credential: VoiceAdminCredential, isCertain: boolean): NextStep {
		const { target = '', token, sentAt, at, wasTriedAgain } = refused;
		const isNewest = token === this.current;
		const isAccepted = this.lastAccepted > 0;
		const isOld = !isRecent(this.age.issuedAt, OLD_MS);
		if (this.current === '' || (!isNewest && (isAccepted || this.neverAccepted === 0))) return 'sendAgain';
		// One that was sent before all that were accepted may have come too soon after the login.
		refused.isSuspect ||= isNewest && this.firstAccepted <= sentAt && this.lastAccepted >= sentAt;
		if (isNewest && this.lastAccepted > at) return wasTriedAgain ? this.giveUp(target) : tryAgain(refused);
		if (!isCertain) return isNewest && isOld ? this.replace(credential) : 'giveUp';
		if (isNewest && !isOld && this.givenUp.has(target)) return 'giveUp';
		if (this.isYoung) return this.mayTry() ? 'sendAgain' : 'wait';
		const isOwnFault = refused.isSuspect && !this.isRefusedToOthers;
		if (!isAccepted && (isOwnFault || this.neverAccepted >= MAX_NEVER_ACCEPTED) && isRecent(this.age.issuedAt, KEPT_MS)) return this.giveUp(target);
		if (!isNewest) return 'sendAgain';
		if (!isAccepted || wasTriedAgain) return this.replace(credential);
		return this.mayTry() ? tryAgain(refused) : 'wait';
	}

	private get isYoung(): boolean {
		return time.now() < this.age.issuedAt + this.age.youngMs / (this.lastAccepted > 0 ? 2 : 1);
	}

	private mayTry(): boolean {
		if (time.now() < (this.trialAt ?? 0)) return false;
		this.trialAt = time.now() + TRIAL_MS;
		return true;
	}

	private giveUp(target: string): NextStep {
		if (target !== '') this.givenUp.add(target);
		return 'giveUp';
	}

	private replace(credential: VoiceAdminCredential): NextStep {
		this.token = '';
		logDebug(credential, 'access token not accepted');
		return 'sendAgain';
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
		this.neverAccepted = this.trialAt !== undefined && this.lastAccepted === 0 ? this.neverAccepted + 1 : 0;
		const youngMs = YOUNG_MS * (1 + time.random() * (this.neverAccepted || 1 / 4)) + LOGIN_TIMES * Math.min(tookMs, MAX_LOGIN_MS);
		this.age = { issuedAt: now, youngMs, endsAt: now + lifetimeMs - Math.min(lifetimeMs / 10, MAX_MARGIN_MS) };
		this.trialAt = undefined;
		this.firstAccepted = Infinity;
		this.lastAccepted = 0;
		this.isRefusedToOthers = false;
		this.givenUp.clear();
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

function tryAgain(refused: RefusedToken): NextStep {
	refused.wasTriedAgain = true;
	return 'sendAgain';
}

function isRecent(at: number, ms: number): boolean {
	return time.now() - at < ms;
}
