import { time } from '../../time';
import { type FailedRequest, Outage } from './outage';

/** Consecutive failures of repeatable requests that open the breaker; one failed create (its outcome is unknown) or login is enough. */
const FAILURE_THRESHOLD = 3;

/** If a create fails this soon after another one, or after the end of an outage, that outage goes on: one of two servers may be down. */
const MAX_RESPONSES_BETWEEN = 5;
const MAX_BETWEEN_MS = 60_000;

/**
 * Circuit breaker of a key: closed sends requests, open makes them wait, halfOpen sends one request, the probe, to see
 * whether the service is back. Requests are numbered in sending order. There is no field for the state: closed means no
 * `outage`, halfOpen an outage with a probe in flight, and open any other outage.
 *
 * | state | what happens | state after it |
 * |---|---|---|
 * | closed | a create or a login fails as in an outage, or three other requests in a row, and no later one got a response | open: 0.5 s, or `Retry-After` |
 * | closed | a create fails so after another create, with fewer than 5 responses between: that outage goes on | open, as after a probe that fails |
 * | closed | 429 | open: `Retry-After`, or a second |
 * | open | a request sent after the failed ones gets a response; after a 429, or a second failed create, only one sent once that was known | closed |
 * | open | the time is over; or a run may soon not wait any longer (not after `Retry-After` or a create) | halfOpen: a login, then a read, then a create |
 * | halfOpen | the probe gets a response | closed; after a login (0.5 s), or a 429 meanwhile (`Retry-After`), open for another probe |
 * | halfOpen | the probe fails in the same way | open: twice as long, at most 10 s (a create: four times, 30 s unless by 503 or 529), or `Retry-After` |
 * | halfOpen | the probe is canceled; or has no response after 10 s (a create: 30 s) | open: the next probe is due |
 */
export class CircuitBreaker {
	/** The current or last outage. */
	lastOutage?: Outage;

	/** The last request, in sending order, that got a response of any status. */
	lastRespondedNumber = 0;

	lastRespondedAt = -Infinity;

	/** Failures by an outage or a 429, ever. */
	failedCount = 0;

	/** Responses since a create last failed or the last outage ended, and when that was. */
	private lastIncident = { responsesSince: MAX_RESPONSES_BETWEEN, at: -Infinity };

	private consecutiveFailures = 0;

	/** The current outage; undefined while the breaker is closed. */
	get outage(): Outage | undefined {
		return this.lastOutage?.endedAt === undefined ? this.lastOutage : undefined;
	}

	/** Whether the service responded several times since a create last failed or the last outage ended. */
	get hasRecovered(): boolean {
		return this.lastIncident.responsesSince >= MAX_RESPONSES_BETWEEN;
	}

	/** Records a response of any status. @returns the outage that it ends, if any */
	recordResponse(sequenceNumber: number, isLogin: boolean): Outage | undefined {
		this.lastRespondedNumber = Math.max(this.lastRespondedNumber, sequenceNumber);
		this.lastRespondedAt = time.now();
		this.consecutiveFailures = 0;
		this.lastIncident.responsesSince++;
		const { outage } = this;
		if (!outage || sequenceNumber < outage.endsWithResponseFrom) {
			// A probe that was in flight when a 429 came: the next one is due after Retry-After.
			this.recordInconclusive(sequenceNumber);
			return undefined;
		}
		if (isLogin) {
			outage.recordLogin();
			return undefined;
		}
		outage.end();
		this.lastIncident = { responsesSince: 0, at: time.now() };
		return outage;
	}

	/** @param lastNumber the last request that was sent @returns whether the failure restarts the wait */
	recordFailure(failure: FailedRequest, lastNumber: number): boolean {
		const { sequenceNumber, kind, cause } = failure;
		this.failedCount++;
		const now = time.now();
		// One of two servers may be down, or only creates may fail: responses in between say little.
		const failsAgain = kind === 'create' && !this.hasRecovered && now - this.lastIncident.at < MAX_BETWEEN_MS;
		if (kind === 'create') this.lastIncident = { responsesSince: 0, at: now };
		// The service responded to a later request: this one failed through its own fault.
		if (cause === 'unavailable' && this.lastRespondedNumber > sequenceNumber && !failsAgain) return false;
		this.consecutiveFailures++;
		if (
			cause === 'unavailable' &&
			kind === 'repeatable' &&
			!this.outage &&
			this.consecutiveFailures < FAILURE_THRESHOLD
		)
			return false;
		const continuesLastOutage =
			failsAgain && cause === 'unavailable' && sequenceNumber > (this.lastOutage?.lastSentBeforeWait ?? Infinity);
		if (!this.outage && !continuesLastOutage) this.lastOutage = new Outage(cause, now);
		const outage = this.lastOutage!;
		const restartsWait = outage.recordFailure(failure, lastNumber);
		// Responses to requests already in flight don't end a rate limit, or the outage of one of two servers.
		const ignoredUntil = cause === 'rateLimited' ? lastNumber : failsAgain ? outage.lastSentBeforeWait : sequenceNumber;
		outage.endsWithResponseFrom = Math.max(outage.endsWithResponseFrom, ignoredUntil + 1);
		return restartsWait;
	}

	/** Records a result that shows nothing about the service; if it was the probe, the next one is due. */
	recordInconclusive(sequenceNumber: number): void {
		if (this.outage && sequenceNumber > this.outage.lastSentBeforeWait) this.outage.makeProbeDue();
	}
}
