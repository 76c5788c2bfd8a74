import { time } from '../../time';

/** Attempts in a row that fail are an outage, even if of one request. */
const OUTAGE_THRESHOLD = 3;

/** How long after a response to another request a single one that fails is the only one, if logins get through. */
const ALONE_MS = 10_000;

/** The share of first attempts that fail, of the last hundred or so, from which one may fail several times by chance. */
const RANDOM_SHARE = 1 / 25;

/** What fails: only this request, the service (an outage), or either. */
type FailureScope = 'request' | 'service' | 'undecided';

/** Tells an outage from a request that alone fails, by those that are answered meanwhile. Logins don't count. */
export class OutageDetector {
	/** Attempts that failed since the last response, by the first one of their request that failed; and how many were such ones. */
	private consecutiveFailures: number[] = [];
	private consecutiveFirstFailures = 0;

	/** The last request, in sending order, that got a response of any status; and when one did. */
	private lastRespondedNumber = 0;
	private lastRespondedAt = -Infinity;

	private failureShare = 0;

	/** Whether requests fail at random, so that one may fail several times by chance. */
	get areFailuresRandom(): boolean {
		return this.failureShare > RANDOM_SHARE;
	}

	/** Whether several requests failed for the first time, with no response since. */
	get haveSeveralFailed(): boolean {
		return this.consecutiveFirstFailures >= OUTAGE_THRESHOLD;
	}

	recordResponse(sequenceNumber: number): void {
		this.lastRespondedNumber = Math.max(this.lastRespondedNumber, sequenceNumber);
		this.lastRespondedAt = time.now();
		this.consecutiveFailures = [];
		this.consecutiveFirstFailures = 0;
		this.failureShare *= 0.99;
	}

	/**
	 * Records an attempt that failed, but for probes, which an outage explains. If three requests fail for the first time in a row, it is an
	 * outage. Else, only this request fails if
	 * - another one was sent after its first attempt that failed, and answered; or
	 * - nothing else has failed since a response of the last ten seconds, and logins get through.
	 * @param firstFailedNumber the first attempt of the same request that failed
	 * @param isAfterLogin whether only a login was answered since the last failure
	 */
	recordFailure(sequenceNumber: number, firstFailedNumber: number, isAfterLogin: boolean): FailureScope {
		if (sequenceNumber === firstFailedNumber) {
			this.failureShare += 0.01 * (1 - this.failureShare);
			this.consecutiveFirstFailures++;
		}
		if (this.haveSeveralFailed) return 'service';
		const isAlone = this.consecutiveFailures.every((number) => number === firstFailedNumber);
		const wasAnsweredLately = time.now() - this.lastRespondedAt < ALONE_MS;
		if (this.lastRespondedNumber > firstFailedNumber || (isAlone && isAfterLogin && wasAnsweredLately))
			return 'request';
		return this.addAndCheck(firstFailedNumber) ? 'service' : 'undecided';
	}

	/** Records a 429, which is no fault of its request. @returns whether so many have failed in a row that all do */
	recordRejection(firstFailedNumber: number): boolean {
		return this.addAndCheck(firstFailedNumber);
	}

	private addAndCheck(firstFailedNumber: number): boolean {
		return this.consecutiveFailures.push(firstFailedNumber) >= OUTAGE_THRESHOLD;
	}
}
