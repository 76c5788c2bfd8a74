import { time } from '../../time';

/** Failures in a row that are an outage. */
const OUTAGE_THRESHOLD = 3;

/** How long after a response to another request a single one that fails, while logins get through, does so through its own fault. */
const ALONE_MS = 10_000;

/** The share of first attempts that fail, of the last hundred or so, from which one may fail several times by chance. */
const RANDOM_SHARE = 1 / 25;

/** Tells an outage from a request that fails through its own fault, by those that are answered meanwhile. Logins don't count. */
export class OutageDetector {
	/** The attempts that failed in a row, by the first one of their request that failed. */
	private failedInRow: number[] = [];

	/** The last request, in sending order, that got a response of any status; and when one did. */
	private lastRespondedNumber = 0;
	private lastRespondedAt = -Infinity;

	private failureShare = 0;

	/** Whether requests fail at random, so that one may fail several times by chance. */
	get areFailuresRandom(): boolean {
		return this.failureShare > RANDOM_SHARE;
	}

	recordResponse(sequenceNumber: number): void {
		this.lastRespondedNumber = Math.max(this.lastRespondedNumber, sequenceNumber);
		this.lastRespondedAt = time.now();
		this.failedInRow = [];
		this.failureShare *= 0.99;
	}

	/**
	 * Records an attempt that failed, but for probes, which an outage explains. It is its request's own fault if
	 * - another request was sent after its first attempt that failed, and answered; or
	 * - nothing else has failed since a response of the last ten seconds, and logins get through.
	 * @param firstFailedNumber the first attempt of the same request that failed
	 * @param isAfterLogin whether only a login was answered since the last failure
	 */
	recordFailure(
		sequenceNumber: number,
		firstFailedNumber: number,
		isAfterLogin: boolean,
	): 'ownFault' | 'outage' | 'unknown' {
		if (sequenceNumber === firstFailedNumber) this.failureShare += 0.01 * (1 - this.failureShare);
		const isAlone = this.failedInRow.every((number) => number === firstFailedNumber);
		const wasAnsweredLately = time.now() - this.lastRespondedAt < ALONE_MS;
		if (this.lastRespondedNumber > firstFailedNumber || (isAlone && isAfterLogin && wasAnsweredLately))
			return 'ownFault';
		return this.recordRejection(firstFailedNumber) ? 'outage' : 'unknown';
	}

	/** Records a 429, which is nobody's fault. @returns whether so many have failed in a row that all do */
	recordRejection(firstFailedNumber: number): boolean {
		return this.failedInRow.push(firstFailedNumber) >= OUTAGE_THRESHOLD;
	}
}
