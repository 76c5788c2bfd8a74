import { time } from '../../time';

/** Attempts in a row that fail are an outage, even if of one request. */
const OUTAGE_THRESHOLD = 3;

/** How long after a response a request that fails for the first time is the only one, if logins get through. */
const ALONE_MS = 10_000;

/** The share of first attempts that fail, of the last hundred or so, from which one may fail several times by chance. */
const RANDOM_SHARE = 1 / 25;

/** What fails: only this request, requests at random (maybe this one several times), the service (an outage), or not known yet. */
export type FailureScope = 'request' | 'random' | 'service' | 'undecided';

export interface FailureCircumstances {
	/** The last attempt of any request. */
	lastSentNumber: number;
	/** Whether requests wait for the service. */
	isOutage: boolean;
	/** Whether others have been answered, but since an outage began, none that the detector is told of. */
	areOthersAnswered: boolean;
}

/** A request's first attempt that failed; and the last attempt of any request that was sent before its last failure. */
interface FailingRequest {
	firstNumber: number;
	firstFailedAt: number;
	lastSentBeforeFailure: number;
}

/**
 * Tells an outage from a request that alone fails, by those that get a response meanwhile. One detector is told of all requests but logins
 * ("others" below), one only of creates. For an attempt that fails, the first row that applies; in an outage, it counts only in row 2.
 *
 * | | when | what fails |
 * |---|---|---|
 * | 1 | during an outage | the service |
 * | 2 | three requests have failed for the first time (since an outage) without any response since | the service |
 * | 3 | a request that was sent later (than a retry's previous failure) got a response | this request, or requests at random |
 * | 4a | since an outage only others were answered; and for this and each other that row 5 counts, one sent later than its first failed attempt was answered | the same |
 * | 4b | since an outage only others were answered; and row 5 counts no other, and there was a response less than ten seconds before its first failure | the same |
 * | 5 | with this one, three attempts since the last response got here or were limited (429) | the service |
 * | 6 | else | undecided |
 */
export class OutageDetector {
	/** By request; deleted from the third on that failed together, as the outage explains them. */
	private readonly failing = new WeakMap<object, FailingRequest>();

	/** Of each attempt since the last response that was limited, or on which rows 5 and 6 decided, its request's first one that failed. */
	private failedSinceResponse: number[] = [];
	/** How many requests failed for the first time since then. */
	private firstFailureCount = 0;

	/** The last request, in sending order, that got a response of any status; and when one did. */
	private lastRespondedNumber = 0;
	private lastRespondedAt = -Infinity;

	/** The share of first attempts that failed, roughly: every response lowers it. */
	private failureShare = 0;

	recordResponse(sequenceNumber: number): void {
		this.lastRespondedNumber = Math.max(this.lastRespondedNumber, sequenceNumber);
		this.lastRespondedAt = time.now();
		this.failedSinceResponse = [];
		this.firstFailureCount = 0;
		this.failureShare *= 0.99;
	}

	/**
	 * Records an attempt that failed.
	 * @param request the same object for all attempts of a request
	 */
	recordFailure(
		request: object,
		sequenceNumber: number,
		{ lastSentNumber, isOutage, areOthersAnswered }: FailureCircumstances,
	): FailureScope {
		const failing = this.failing.get(request) ?? {
			firstNumber: sequenceNumber,
			firstFailedAt: time.now(),
			lastSentBeforeFailure: lastSentNumber,
		};
		this.failing.set(request, failing);
		if (sequenceNumber === failing.firstNumber) this.firstFailureCount++;
		const scope = isOutage ? 'service' : this.scopeOf(sequenceNumber, failing, areOthersAnswered); // 1, 2 to 6
		failing.lastSentBeforeFailure = lastSentNumber;
		// The outage explains it: the request's next failure is its first one.
		if (scope === 'service' && this.haveSeveralFailed) this.failing.delete(request);
		return scope;
	}

	/** Records a 429, which is no fault of its request. @returns whether so many have failed in a row that all do */
	recordRateLimited(request: object, sequenceNumber: number): boolean {
		return this.addFailed(this.failing.get(request)?.firstNumber ?? sequenceNumber);
	}

	private scopeOf(sequenceNumber: number, failing: FailingRequest, areOthersAnswered: boolean): FailureScope {
		const { firstNumber, firstFailedAt, lastSentBeforeFailure } = failing;
		const isFirst = sequenceNumber === firstNumber;
		if (isFirst) this.failureShare += 0.01 * (1 - this.failureShare);
		if (this.haveSeveralFailed) return 'service'; // 2
		// What was sent before a retry's previous failure may have been answered before an outage.
		const isLaterAnswered = this.lastRespondedNumber > (isFirst ? sequenceNumber : lastSentBeforeFailure);
		const haveAllFailedAlone = [firstNumber, ...this.failedSinceResponse].every(
			(each) => this.lastRespondedNumber > each,
		);
		const isOnlyOne = this.failedSinceResponse.every((number) => number === firstNumber);
		const wasAnsweredLately = firstFailedAt - this.lastRespondedAt < ALONE_MS;
		const isAlone =
			isLaterAnswered || // 3
			(areOthersAnswered && haveAllFailedAlone) || // 4a
			(areOthersAnswered && isOnlyOne && wasAnsweredLately); // 4b
		if (isAlone) return this.failureShare > RANDOM_SHARE ? 'random' : 'request';
		return this.addFailed(firstNumber) ? 'service' : 'undecided'; // 5, 6
	}

	/** @returns whether so many have failed in a row */
	private addFailed(firstFailedNumber: number): boolean {
		return this.failedSinceResponse.push(firstFailedNumber) >= OUTAGE_THRESHOLD;
	}

	/** Whether several requests failed for the first time, with no response since. */
	private get haveSeveralFailed(): boolean {
		return this.firstFailureCount >= OUTAGE_THRESHOLD;
	}
}
