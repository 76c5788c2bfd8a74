import type { RequestKind } from './fairQueue';
import { time } from './time';

/** First wait for a service that is unavailable, and longest one, in milliseconds; each is twice as long as the one before. */
const FIRST_PROBE_DELAY_MS = 500;
const MAX_PROBE_DELAY_MS = 10_000;

/** The same after a create that failed as a probe, in milliseconds; each is four times as long as the one before. */
const MAX_PROBE_DELAY_AFTER_CREATE_MS = 30_000;

/** Minimum time from a probe to one that is sent before it is due, in milliseconds. */
const EARLY_PROBE_AFTER_MS = 2_000;

/** Shortest wait after a 429 without a usable `Retry-After`, in milliseconds. */
const MIN_RATE_LIMITED_MS = 1_000;

/** Maximum share of a wait that jitter adds, so that processes don't come back together. */
const JITTER = 0.1;

/** Why a key's requests wait. */
export type OutageCause =
	/** The service is unavailable: 502 to 504, 520 to 524, 529, 530, or no response at all. */
	| 'unavailable'
	/** It has had too many requests: 429. */
	| 'rateLimited';

/** What a request says of the service. */
export type ServiceSignal =
	/** It keeps up. */
	| 'success'
	/** It is there, and has failed: a 500, or a token that it does not accept. */
	| 'responded'
	/** Nothing. */
	| 'ignore'
	| OutageCause;

/** What a failure may tell beside its cause. */
export interface FailureDetails {
	/** What the service asks to wait, in milliseconds. */
	retryAfterMs?: number;
	/** HTTP status, where it responded. */
	status?: number;
}

/** Whether a service, or a proxy before it, may say by a status that it has too many requests, as by 429: nginx limits them by 503. */
export const mayMeanTooManyRequests = (status?: number): boolean => status === 503 || status === 529;

/** A time in which requests wait for their service, and when the next probe is due. */
export class Outage {
	/** When it was over; undefined while it lasts. */
	overAt?: number;

	/** HTTP status that the service last returned; undefined where it did not respond. */
	status?: number;

	/** Number of the last request that was sent when a failure was last news: what becomes of it and those before it is none. */
	lastNumberBeforeWait = 0;

	/** Number of the first request whose response ends it. */
	endsFrom = 0;

	/** Failures so far; what was in flight together counts as one. */
	private failures = 0;

	/** When the next probe is due by our own rules. */
	private probeAt = 0;

	/** Whether it may be sent earlier: none is in flight, the last was no create, and there was no 429. */
	private isProbeMovable = false;

	private lastProbeAt = -Infinity;

	/** Until when the service has asked to wait: none is sent before, whatever fails or gets a response meanwhile. */
	private retryAfterUntil = 0;

	/** Whether anything has shown since the last failure that the service is there: a login, or a response to a request of another kind. */
	private isServiceSeen = false;

	/** @param since when it began */
	constructor(
		public cause: OutageCause,
		readonly since: number,
	) {}

	/** Milliseconds until the next probe is due; 0 if it is. */
	get dueIn(): number {
		return Math.max(0, Math.max(this.probeAt, this.retryAfterUntil) - time.now());
	}

	/** Whether a request that can't be repeated has to leave the next probe to a login. */
	get needsLogin(): boolean {
		return this.cause === 'unavailable' && !this.isServiceSeen;
	}

	/** Makes the next probe due now, or when `Retry-After` is over. */
	probeNow(): void {
		this.probeAt = time.now();
	}

	/** The same, as somebody may not wait for it, where that is allowed. */
	probeEarly(): void {
		const now = time.now();
		if (this.isProbeMovable && now >= this.retryAfterUntil && now - this.lastProbeAt >= EARLY_PROBE_AFTER_MS) this.probeAt = now;
	}

	/** A probe was sent. Without a response, the next is due after `MAX_PROBE_DELAY_MS`. */
	recordProbe(): void {
		this.lastProbeAt = time.now();
		this.probeAt = this.lastProbeAt + MAX_PROBE_DELAY_MS;
		this.isProbeMovable = false;
	}

	/** A login has succeeded, or something else shows that the service is there. */
	recordServiceSeen(): void {
		this.isServiceSeen = true;
	}

	/** A login was the probe. */
	recordLogin(): void {
		this.recordServiceSeen();
		this.probeAt = time.now() + FIRST_PROBE_DELAY_MS;
	}

	/** @param lastNumber of the last request that was sent @returns whether the failure of this one is news */
	recordFailure(number: number, lastNumber: number, kind: RequestKind, cause: OutageCause, { retryAfterMs, status }: FailureDetails): boolean {
		const now = time.now();
		this.overAt = undefined;
		this.retryAfterUntil = Math.max(this.retryAfterUntil, now + (retryAfterMs ?? 0));
		const restartsWait = number > this.lastNumberBeforeWait;
		if (restartsWait || cause === 'rateLimited') this.cause = cause;
		if (cause === 'rateLimited') this.isProbeMovable = false;
		if (!restartsWait) return false;
		const wasCreateProbe = kind === 'create' && this.failures > 0;
		this.probeAt = now + (retryAfterMs ? 0 : probeDelay(this.failures, wasCreateProbe, cause, status) * (1 + JITTER * time.random()));
		this.isProbeMovable = cause === 'unavailable' && !wasCreateProbe;
		this.status = status;
		this.failures++;
		this.lastNumberBeforeWait = lastNumber;
		this.isServiceSeen = false;
		return true;
	}
}

/** How long requests wait after so many failures and one more, in milliseconds. A person has to look for each create: they come later. */
function probeDelay(failures: number, wasCreateProbe: boolean, cause: OutageCause, status?: number): number {
	const longest = wasCreateProbe && !mayMeanTooManyRequests(status) ? MAX_PROBE_DELAY_AFTER_CREATE_MS : MAX_PROBE_DELAY_MS;
	const wait = Math.min(FIRST_PROBE_DELAY_MS * (wasCreateProbe ? 4 : 2) ** failures, longest);
	return cause === 'rateLimited' ? Math.max(MIN_RATE_LIMITED_MS, wait) : wait;
}
