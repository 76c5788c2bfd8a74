import type { QueuedRequest } from './fairQueue';
import { time } from './time';

/** First wait for a service that is unavailable, and longest one, in milliseconds; each is twice as long as the one before. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;

/** The same after a create that failed as a probe, in milliseconds; each is four times as long as the one before. */
const MAX_WAIT_AFTER_CREATE_MS = 30_000;

/** Whether a service, or a proxy before it, may say by a status that it has too many requests, as by 429: nginx limits them by 503. */
export const isOverloaded = (status?: number): boolean => status === 503 || status === 529;

/** Shortest wait after a 429 without a usable `Retry-After`, in milliseconds. */
const MIN_RATE_LIMITED_MS = 1_000;

/** So many requests that can be repeated have to fail in a row; of a create, whose outcome nobody knows, or a login, one is enough. */
const FAILURES_IN_ROW = 3;

/** So long after a probe that was not due there is no other, in milliseconds. */
const EARLY_PROBE_EVERY_MS = 2_000;

/** A create that fails before so many answers to others, and so many milliseconds, fails as the last one did: of two servers, one may be unavailable. */
const ANSWERS_BETWEEN = 5;
const MAX_BETWEEN_MS = 60_000;

/** Share of a wait that chance adds at the most, so that processes do not come back together. */
const JITTER = 0.1;

/** Why a key's requests wait. */
export type Cause =
	/** The service is unavailable: 502 to 504, 520 to 524, 529, 530, or no answer at all. */
	| 'unavailable'
	/** It has had too many requests: 429. */
	| 'rateLimited';

/** What a failure may tell beside its cause. */
export interface FailureDetails {
	/** What the service asks to wait, in milliseconds. */
	retryAfterMs?: number;
	/** HTTP status, where it answered. */
	status?: number;
	/** Since when the service has not answered, where it never has: a time-out counts. */
	since?: number;
}

/** A time in which requests wait for their service. */
export interface Outage {
	cause: Cause;
	/** HTTP status that the service last answered with; undefined where it did not answer. */
	status?: number;
	/** When it began, and when it was over; undefined while it lasts. */
	since: number;
	overAt?: number;
	/** When the next probe is due by our own rules, and whether it may be earlier: none is in flight, the last was no create, and there was no 429. */
	until: number;
	mayBeEarlier: boolean;
	/** Until when the service has asked to wait: none is sent before, whatever fails or is answered meanwhile. */
	askedUntil: number;
	/** Failures so far; what was in flight together counts as one. */
	failures: number;
	/** Number of the last request that was sent before this wait began: what becomes of it is no news. */
	sentBefore: number;
	/** Highest number of a request that has failed. */
	lastFailed: number;
	/** Whether a login has succeeded since the last failure. */
	hasLoggedIn: boolean;
	/** Whether it is over only when a probe is answered, and not by what was in flight. */
	needsProbe: boolean;
}

/**
 * Whether the requests of a key are sent, or wait for their service: a circuit breaker that sends one request at a time to
 * see whether it is back. Requests have numbers, in the order in which they are sent.
 *
 * | state | what happens | state after it |
 * |---|---|---|
 * | open | a create or a login fails by an outage, or three other requests in a row, and no later one has been answered | waiting: 0.5 s, or `Retry-After` |
 * | open | a create fails so after another one, with fewer than 5 answers between: the outage before goes on | waiting, as after a probe that fails |
 * | open | 429 | waiting: `Retry-After`, or a second |
 * | waiting | a request that was sent after all that failed is answered; not after a 429, or two creates, of which it says nothing | open |
 * | waiting | the time is over; or a run may soon not wait any longer (not after `Retry-After` or a create) | probing: a login, then a read, then a create |
 * | probing | the probe is answered | open; after a login, waiting for the next probe: 0.5 s |
 * | probing | the probe fails as above | waiting: twice as long, at most 10 s (a create: four times, 30 s unless by 503 or 529), or `Retry-After` |
 * | probing | the probe is cancelled; or has no answer after 10 s | waiting: the next probe is due |
 */
export class CircuitBreaker {
	/** The last one; undefined for none so far. */
	lastOutage?: Outage;

	/** Highest number of a request that was answered. */
	lastAnswered = 0;

	/** How many requests have failed. */
	failedCount = 0;

	/** How many requests were answered since a create last failed, or the last outage was over; and when that was. */
	private answered = { count: ANSWERS_BETWEEN, since: -Infinity };

	/** When a probe was last sent that was not due. */
	private probedEarlyAt = -Infinity;

	/** What has failed since the last answer; a request that may fail for its own fault counts once. */
	private readonly failed = new Set<object>();

	/** The one that lasts; undefined while the key is open. */
	get outage(): Outage | undefined {
		return this.lastOutage?.overAt === undefined ? this.lastOutage : undefined;
	}

	/** Milliseconds until the next probe is due; 0 if it is. */
	get dueIn(): number {
		return this.outage ? Math.max(0, Math.max(this.outage.until, this.outage.askedUntil) - time.now()) : 0;
	}

	/** Whether a request that can't be repeated has to leave the next probe to a login. */
	get needsLogin(): boolean {
		return this.outage?.cause === 'unavailable' && !this.outage.hasLoggedIn;
	}

	/** A request is sent: a probe, while others wait. */
	recordSent(): void {
		if (this.outage) Object.assign(this.outage, { until: time.now() + MAX_WAIT_MS, mayBeEarlier: false });
	}

	/** Makes the next probe due, as somebody may not wait for it. */
	probeNow(): void {
		const now = time.now();
		if (!this.outage?.mayBeEarlier || now < this.outage.askedUntil || now - this.probedEarlyAt < EARLY_PROBE_EVERY_MS) return;
		this.probedEarlyAt = this.outage.until = now;
	}

	/** The service has answered a request, whatever it said. @returns the outage that is over by it; undefined for none */
	recordAnswer(number: number, isLogin: boolean): Outage | undefined {
		this.lastAnswered = Math.max(this.lastAnswered, number);
		this.failed.clear();
		this.answered.count++;
		const { outage } = this;
		if (!outage || number < outage.lastFailed || (outage.needsProbe && number <= outage.sentBefore)) return undefined;
		if (isLogin) {
			outage.hasLoggedIn = true;
			outage.until = time.now() + FIRST_WAIT_MS;
			return undefined;
		}
		outage.overAt = time.now();
		this.answered = { count: 0, since: outage.overAt };
		return outage;
	}

	/**
	 * A request has failed for want of the service. @param sent number of the last request that was sent
	 * @returns whether that is news
	 */
	recordFailure(number: number, sent: number, request: QueuedRequest, cause: Cause, details: FailureDetails = {}): boolean {
		this.failedCount++;
		const now = time.now();
		// Of two servers, one may be unavailable, or creates alone may fail: each answer in between says little.
		const failsAgain = request.kind === 'create' && this.answered.count < ANSWERS_BETWEEN && now - this.answered.since < MAX_BETWEEN_MS;
		if (request.kind === 'create') this.answered = { count: 0, since: now };
		// The service was there after it: its own fault.
		if (cause === 'unavailable' && this.lastAnswered > number && !failsAgain) return false;
		this.failed.add(request.id ?? request);
		if (cause === 'unavailable' && request.kind === 'repeatable' && !this.outage && this.failed.size < FAILURES_IN_ROW) return false;
		const { retryAfterMs, status, since = now } = details;
		const goesOn = failsAgain && cause === 'unavailable' && number > (this.lastOutage?.sentBefore ?? Infinity);
		const outage = this.outage ?? (goesOn ? this.lastOutage! : { since, failures: 0, sentBefore: 0, lastFailed: 0, askedUntil: 0 } as Outage);
		this.lastOutage = Object.assign(outage, { overAt: undefined, needsProbe: outage.needsProbe || cause === 'rateLimited' || failsAgain });
		outage.lastFailed = Math.max(outage.lastFailed, number);
		outage.askedUntil = Math.max(outage.askedUntil, now + (retryAfterMs ?? 0));
		if (number <= outage.sentBefore) {
			if (cause === 'rateLimited') Object.assign(outage, { cause, mayBeEarlier: false });
			return false;
		}
		const wasCreateProbe = request.kind === 'create' && outage.failures > 0;
		const ms = waitAfter(outage.failures, wasCreateProbe, cause, status);
		outage.until = now + (retryAfterMs ? 0 : ms * (1 + JITTER * time.random()));
		const mayBeEarlier = cause === 'unavailable' && !wasCreateProbe;
		Object.assign(outage, { cause, status, failures: outage.failures + 1, sentBefore: sent, hasLoggedIn: false, mayBeEarlier });
		return true;
	}

	/** Another request shows that the service is there, in place of a login. */
	recordPresence(): void {
		if (this.outage) this.outage.hasLoggedIn = true;
	}

	/** What became of a request says nothing of the service. */
	recordNothing(number: number): void {
		if (this.outage && number > this.outage.sentBefore) this.outage.until = time.now();
	}
}

/** How long requests wait after so many failures and one more, in milliseconds. A person has to look for each create: they come later. */
function waitAfter(failures: number, wasCreateProbe: boolean, cause: Cause, status?: number): number {
	const longest = wasCreateProbe && !isOverloaded(status) ? MAX_WAIT_AFTER_CREATE_MS : MAX_WAIT_MS;
	const wait = Math.min(FIRST_WAIT_MS * (wasCreateProbe ? 4 : 2) ** failures, longest);
	return cause === 'rateLimited' ? Math.max(MIN_RATE_LIMITED_MS, wait) : wait;
}
