import { time } from '../../time';

/** Attempts in a row that fail are an outage, even if of one request. */
const OUTAGE_THRESHOLD = 3;

/** How long after a response to another request a single one that fails is the only one, if logins get through. */
const ALONE_MS = 10_000;

/** The share of first attempts that fail, of the last hundred or so, from which one may fail several times by chance. */
const RANDOM_SHARE = 1 / 25;

/** What fails: only this request, requests at random (maybe this one several times), the service (an outage), or not known yet. */
export type FailureScope = 'request' | 'random' | 'service' | 'undecided';

/**
 * Tells an outage from a request that alone fails, by those that get a response meanwhile. For an attempt that fails, the first row that
 * applies; logins don't count.
 *
 * | | when | what fails |
 * |---|---|---|
 * | 1 | during an outage | the service |
 * | 2 | three requests have failed for the first time since the last response | the service |
 * | 3 | since the request first failed, another one was sent that got a response | this request, or requests at random |
 * | 4 | nothing else has failed since a response less than ten seconds ago, and logins are answered | this request, or requests at random |
 * | 5 | three attempts have failed since the last response | the service |
 * | 6 | else | undecided |
 */
export class OutageDetector {
	/** Each request's first attempt that failed; none from the third on that failed together, as the outage explains them. */
	private readonly firstFailedNumbers = new WeakMap<object, number>();

	/** Of each attempt that has failed since the last response, its request's first one; and how many requests failed for the first time. */
	private failedSinceResponse: number[] = [];
	private firstFailures = 0;

	/** The last request, in sending order, that got a response of any status; and when one did. */
	private lastRespondedNumber = 0;
	private lastRespondedAt = -Infinity;

	/** The share of first attempts that failed. */
	private failureShare = 0;

	recordResponse(sequenceNumber: number): void {
		this.lastRespondedNumber = Math.max(this.lastRespondedNumber, sequenceNumber);
		this.lastRespondedAt = time.now();
		this.failedSinceResponse = [];
		this.firstFailures = 0;
		this.failureShare *= 0.99;
	}

	/**
	 * Records an attempt that failed.
	 * @param request the same object for all attempts of a request
	 * @param isOutage whether requests wait for the service
	 * @param isAfterLogin whether a login has ended the last outage, and no request got a response since
	 */
	recordFailure(
		request: object,
		sequenceNumber: number,
		{ isOutage, isAfterLogin }: { isOutage: boolean; isAfterLogin: boolean },
	): FailureScope {
		const firstFailedNumber = this.firstFailedNumbers.get(request) ?? sequenceNumber;
		this.firstFailedNumbers.set(request, firstFailedNumber);
		if (sequenceNumber === firstFailedNumber) this.firstFailures++;
		const scope = isOutage ? 'service' : this.scopeOf(sequenceNumber, firstFailedNumber, isAfterLogin); // 1, 2 to 6
		// The outage explains it: the request's next failure is its first one.
		if (scope === 'service' && this.haveSeveralFailed) this.firstFailedNumbers.delete(request);
		return scope;
	}

	/** Records a 429, which is no fault of its request. @returns whether so many have failed in a row that all do */
	recordRejection(request: object, sequenceNumber: number): boolean {
		return this.failedSinceResponse.push(this.firstFailedNumbers.get(request) ?? sequenceNumber) >= OUTAGE_THRESHOLD;
	}

	private scopeOf(sequenceNumber: number, firstFailedNumber: number, isAfterLogin: boolean): FailureScope {
		if (sequenceNumber === firstFailedNumber) this.failureShare += 0.01 * (1 - this.failureShare);
		if (this.haveSeveralFailed) return 'service'; // 2
		const isAlone = this.failedSinceResponse.every((number) => number === firstFailedNumber);
		const wasAnsweredLately = time.now() - this.lastRespondedAt < ALONE_MS;
		if (this.lastRespondedNumber > firstFailedNumber || (isAlone && isAfterLogin && wasAnsweredLately))
			return this.failureShare > RANDOM_SHARE ? 'random' : 'request'; // 3, 4
		return this.failedSinceResponse.push(firstFailedNumber) >= OUTAGE_THRESHOLD ? 'service' : 'undecided'; // 5, 6
	}

	/** Whether several requests failed for the first time, with no response since. */
	private get haveSeveralFailed(): boolean {
		return this.firstFailures >= OUTAGE_THRESHOLD;
	}
}
