import type { RequestKind } from './fairQueue';
import { type OutageCause, type FailureDetails, Outage } from './outage';
import { time } from './time';

/** How many idempotent requests must fail in a row; one create, whose outcome is then unknown, or one login is enough. */
const FAILURES_IN_ROW = 3;

/** A create that fails within this many responses and milliseconds of another failed create continues that outage: one of two servers may be down. */
const RESPONSES_BETWEEN = 5;
const MAX_BETWEEN_MS = 60_000;

/**
 * Whether the requests of a key are sent (closed), or wait for their service (open): a circuit breaker that sends one request
 * at a time, a probe, to see whether it is back (halfOpen). Requests have numbers, in the order in which they are sent.
 *
 * | state | what happens | state after it |
 * |---|---|---|
 * | closed | a create or a login fails by an outage, or three other requests in a row, and no later one has had a response | open: 0.5 s, or `Retry-After` |
 * | closed | a create fails so after another one, with fewer than 5 responses between: the outage before continues | open, as after a probe that fails |
 * | closed | 429 | open: `Retry-After`, or a second |
 * | open | a request that was sent after all that failed gets a response; not after a 429, or two creates, of which it says nothing | closed |
 * | open | the time is over; or a run may soon not wait any longer (not after `Retry-After` or a create) | halfOpen: a login, then a read, then a create |
 * | halfOpen | the probe gets a response | closed; after a login (0.5 s), or a 429 meanwhile (`Retry-After`), open for another probe |
 * | halfOpen | the probe fails in the same way | open: twice as long, at most 10 s (a create: four times, 30 s unless by 503 or 529), or `Retry-After` |
 * | halfOpen | the probe is canceled; or has no response after 10 s | open: the next probe is due |
 */
export class CircuitBreaker {
	/** The last outage, over or not; undefined if there was none. */
	lastOutage?: Outage;

	/** Highest number of a request that got a response. */
	lastRespondedNumber = 0;

	/** How many requests have failed. */
	failedCount = 0;

	/** How many requests got responses since a create last failed, or the last outage was over; and when that was. */
	private responses = { count: RESPONSES_BETWEEN, since: -Infinity };

	/** How many requests have failed since the last response. */
	private failedInRow = 0;

	/** The outage that is not over; undefined while the breaker is closed. */
	get outage(): Outage | undefined {
		return this.lastOutage?.overAt === undefined ? this.lastOutage : undefined;
	}

	/** A request is sent: a probe, while others wait. */
	recordSent(): void {
		this.outage?.recordProbe();
	}

	/** The service has responded to a request, whatever it said. @returns the outage that is over by it; undefined for none */
	recordResponse(number: number, isLogin: boolean): Outage | undefined {
		this.lastRespondedNumber = Math.max(this.lastRespondedNumber, number);
		this.failedInRow = 0;
		this.responses.count++;
		const { outage } = this;
		if (!outage || number < outage.endsFrom) {
			// A probe that was on its way when a 429 came: the next one is due when Retry-After is over.
			this.recordIgnored(number);
			return undefined;
		}
		if (isLogin) {
			outage.recordLogin();
			return undefined;
		}
		outage.overAt = time.now();
		this.responses = { count: 0, since: outage.overAt };
		return outage;
	}

	/**
	 * A request has failed because the service is unavailable or limits requests. @param lastNumber of the last request that was sent
	 * @returns whether that is news
	 */
	recordFailure(number: number, lastNumber: number, kind: RequestKind, cause: OutageCause, details: FailureDetails = {}): boolean {
		this.failedCount++;
		const now = time.now();
		// Of two servers, one may be unavailable, or creates alone may fail: each response in between says little.
		const failsAgain = kind === 'create' && this.responses.count < RESPONSES_BETWEEN && now - this.responses.since < MAX_BETWEEN_MS;
		if (kind === 'create') this.responses = { count: 0, since: now };
		// The service was there after it: its own fault.
		if (cause === 'unavailable' && this.lastRespondedNumber > number && !failsAgain) return false;
		this.failedInRow++;
		if (cause === 'unavailable' && kind === 'idempotent' && !this.outage && this.failedInRow < FAILURES_IN_ROW) return false;
		const continuesLastOutage = failsAgain && cause === 'unavailable' && number > (this.lastOutage?.lastNumberBeforeWait ?? Infinity);
		if (!this.outage && !continuesLastOutage) this.lastOutage = new Outage(cause, now);
		const outage = this.lastOutage!;
		const restartsWait = outage.recordFailure(number, lastNumber, kind, cause, details);
		// Of a limit, and of one of two servers, what was in flight says nothing.
		const ignoredUntil = cause === 'rateLimited' ? lastNumber : failsAgain ? outage.lastNumberBeforeWait : number;
		outage.endsFrom = Math.max(outage.endsFrom, ignoredUntil + 1);
		return restartsWait;
	}

	/** What became of a request says nothing of the service. */
	recordIgnored(number: number): void {
		if (this.outage && number > this.outage.lastNumberBeforeWait) this.outage.probeNow();
	}
}
