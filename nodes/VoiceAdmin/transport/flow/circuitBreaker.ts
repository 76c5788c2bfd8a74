import type { QueuedRequest } from './fairQueue';
import { type Cause, type FailureDetails, Outage } from './outage';
import { time } from './time';

/** So many requests that can be repeated have to fail in a row; of a create, whose outcome nobody knows, or a login, one is enough. */
const FAILURES_IN_ROW = 3;

/** So long after a probe that was not due there is no other, in milliseconds. */
const EARLY_PROBE_EVERY_MS = 2_000;

/** A create that fails before so many answers to others, and so many milliseconds, fails as the last one did: of two servers, one may be unavailable. */
const ANSWERS_BETWEEN = 5;
const MAX_BETWEEN_MS = 60_000;

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

	/** How many requests have failed since the last answer. */
	private failedInRow = 0;

	/** The one that lasts; undefined while the key is open. */
	get outage(): Outage | undefined {
		return this.lastOutage?.overAt === undefined ? this.lastOutage : undefined;
	}

	/** A request is sent: a probe, while others wait. */
	recordSent(): void {
		this.outage?.recordProbe();
	}

	/** Makes the next probe due, as somebody may not wait for it. */
	probeNow(): void {
		const now = time.now();
		if (!this.outage?.mayProbeEarly || now - this.probedEarlyAt < EARLY_PROBE_EVERY_MS) return;
		this.probedEarlyAt = now;
		this.outage.probeNow();
	}

	/** The service has answered a request, whatever it said. @returns the outage that is over by it; undefined for none */
	recordAnswer(number: number, isLogin: boolean): Outage | undefined {
		this.lastAnswered = Math.max(this.lastAnswered, number);
		this.failedInRow = 0;
		this.answered.count++;
		const { outage } = this;
		if (!outage || number < outage.lastFailed || (outage.needsProbe && number <= outage.sentBefore)) return undefined;
		if (isLogin) {
			outage.recordLogin();
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
	recordFailure(number: number, sent: number, { kind }: QueuedRequest, cause: Cause, details: FailureDetails = {}): boolean {
		this.failedCount++;
		const now = time.now();
		// Of two servers, one may be unavailable, or creates alone may fail: each answer in between says little.
		const failsAgain = kind === 'create' && this.answered.count < ANSWERS_BETWEEN && now - this.answered.since < MAX_BETWEEN_MS;
		if (kind === 'create') this.answered = { count: 0, since: now };
		// The service was there after it: its own fault.
		if (cause === 'unavailable' && this.lastAnswered > number && !failsAgain) return false;
		this.failedInRow++;
		if (cause === 'unavailable' && kind === 'repeatable' && !this.outage && this.failedInRow < FAILURES_IN_ROW) return false;
		const goesOn = failsAgain && cause === 'unavailable' && number > (this.lastOutage?.sentBefore ?? Infinity);
		if (!this.outage && !goesOn) this.lastOutage = new Outage(cause, details.since ?? now);
		const outage = this.lastOutage!;
		outage.needsProbe ||= cause === 'rateLimited' || failsAgain;
		return outage.recordFailure(number, sent, kind, cause, details);
	}

	/** What became of a request says nothing of the service. */
	recordNothing(number: number): void {
		if (this.outage && number > this.outage.sentBefore) this.outage.probeNow();
	}
}
