import { time } from '../../time';

/** Failures in a row that are an outage. */
const OUTAGE_THRESHOLD = 3;

/** How long after a response to another request a single one that fails, while logins get through, does so through its own fault. */
const ALONE_MS = 10_000;

/** The share of first attempts that fail, of the last hundred or so, from which one may fail several times by chance. */
const RANDOM_SHARE = 1 / 25;

/** Tells a request that fails through its own fault from an outage, by those that are answered meanwhile. Logins don't count. */
export class OwnFaults {
	/** The attempts that failed in a row, by the first one of their request that failed. */
	private failedInRow: number[] = [];

	/** The last request, in sending order, that got a response of any status; and when one did. */
	private lastRespondedNumber = 0;
	private lastRespondedAt = -Infinity;

	private failureShare = 0;

	/** Whether requests fail at random. */
	get areRandom(): boolean {
		return this.failureShare > RANDOM_SHARE;
	}

	recordResponse(sequenceNumber: number): void {
		this.lastRespondedNumber = Math.max(this.lastRespondedNumber, sequenceNumber);
		this.lastRespondedAt = time.now();
		this.failedInRow = [];
		this.failureShare *= 0.99;
	}

	/**
	 * Whether a request fails through its own fault:
	 * - another one was sent after its first attempt that failed, and answered; or
	 * - nothing else has failed since a response of the last ten seconds, and logins get through.
	 * @param isAfterLogin whether only a login was answered since the last failure
	 */
	isOwn(firstFailedNumber: number, isAfterLogin: boolean): boolean {
		if (this.lastRespondedNumber > firstFailedNumber) return true;
		const isAlone = this.failedInRow.every((number) => number === firstFailedNumber);
		return isAlone && isAfterLogin && time.now() - this.lastRespondedAt < ALONE_MS;
	}

	/** @returns whether so many have failed in a row, without a response in between, that it is an outage */
	recordFailure(firstFailedNumber: number): boolean {
		return this.failedInRow.push(firstFailedNumber) >= OUTAGE_THRESHOLD;
	}

	/** Records that a request has failed for the first time, and not in an outage. */
	recordFirstFailure(): void {
		this.failureShare += 0.01 * (1 - this.failureShare);
	}
}
