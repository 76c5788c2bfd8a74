import { time } from '../../time';

/** Attempts in a row that fail are an outage, even if of one request. */
const OUTAGE_THRESHOLD = 3;

/** How long after a response to another request a single one that fails is the only one, if logins get through. */
const ALONE_MS = 10_000;

/** The share of first attempts that fail, of the last hundred or so, from which one may fail several times by chance. */
const RANDOM_SHARE = 1 / 25;

/** What fails: only this request, requests at random (maybe this one several times), the service (an outage), or not known yet. */
export type FailureScope = 'request' | 'random' | 'service' | 'undecided';

/** A request's first attempt that failed, and the last one of any request that had been sent by then. */
interface FirstFailure {
	number: number;
	lastSentNumber: number;
}

/**
 * Tells an outage from a request that alone fails, by those that get a response meanwhile. For an attempt that fails, the first row that
 * applies; logins don't count.
 *
 * | | when | what fails |
 * |---|---|---|
 * | 1 | during an outage | the service |
 * | 2 | three requests have failed for the first time since the last response | the service |
 * | 3 | one that was sent later got a response: for a retry, one that was sent after the request had failed | this request, or requests at random |
 * | 4 | nothing else has failed since a response less than ten seconds ago, and since an outage only logins were answered | this request, or requests at random |
 * | 5 | so have three attempts, or were limited (429), since the last response | the service |
 * | 6 | else | undecided |
 */
export class OutageDetector {
	/** None from the third request on that failed together, as the outage explains them. */
	private readonly firstFailures = new WeakMap<object, FirstFailure>();

	/** Of each attempt since the last response that was limited, or of which rows 5 and 6 decided, its request's first one that failed. */
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
	 * @param lastSentNumber of any request
	 * @param isOutage whether requests wait for the service
	 * @param isAfterLogin whether a login has ended the last outage, and no request got a response since
	 */
	recordFailure(
		request: object,
		sequenceNumber: number,
		{ lastSentNumber, isOutage, isAfterLogin }: { lastSentNumber: number; isOutage: boolean; isAfterLogin: boolean },
	): FailureScope {
		const first = this.firstFailures.get(request) ?? { number: sequenceNumber, lastSentNumber };
		this.firstFailures.set(request, first);
		if (sequenceNumber === first.number) this.firstFailureCount++;
		const scope = isOutage ? 'service' : this.scopeOf(sequenceNumber, first, isAfterLogin); // 1, 2 to 6
		// The outage explains it: the request's next failure is its first one.
		if (scope === 'service' && this.haveSeveralFailed) this.firstFailures.delete(request);
		return scope;
	}

	/** Records a 429, which is no fault of its request. @returns whether so many have failed in a row that all do */
	recordRejection(request: object, sequenceNumber: number): boolean {
		return this.addFailed(this.firstFailures.get(request)?.number ?? sequenceNumber);
	}

	private scopeOf(sequenceNumber: number, first: FirstFailure, isAfterLogin: boolean): FailureScope {
		const isFirst = sequenceNumber === first.number;
		if (isFirst) this.failureShare += 0.01 * (1 - this.failureShare);
		if (this.haveSeveralFailed) return 'service'; // 2
		const isAlone = this.failedSinceResponse.every((number) => number === first.number);
		const wasAnsweredLately = time.now() - this.lastRespondedAt < ALONE_MS;
		// One that was sent before the request failed may have been answered before the service did.
		const wasLaterAnswered = this.lastRespondedNumber > (isFirst ? sequenceNumber : first.lastSentNumber);
		if (wasLaterAnswered || (isAlone && isAfterLogin && wasAnsweredLately))
			return this.failureShare > RANDOM_SHARE ? 'random' : 'request'; // 3, 4
		return this.addFailed(first.number) ? 'service' : 'undecided'; // 5, 6
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
