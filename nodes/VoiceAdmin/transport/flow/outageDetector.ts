import { time } from '../../time';

/** Attempts in a row that fail are an outage, even if of one request. */
const OUTAGE_THRESHOLD = 3;

/** How long after a response to another request a single one that fails is the only one, if logins get through. */
const ALONE_MS = 10_000;

/** The share of first attempts that fail, of the last hundred or so, from which one may fail several times by chance. */
const RANDOM_SHARE = 1 / 25;

/** What fails: only this request, requests at random (maybe this one several times), the service (an outage), or not known yet. */
export type FailureScope = 'request' | 'random' | 'service' | 'undecided';

/** Tells an outage from a request that alone fails, by those that are answered meanwhile. Logins don't count. */
export class OutageDetector {
	/** Each request's first attempt that failed, unless several failed together. */
	private readonly firstFailedNumbers = new WeakMap<object, number>();

	/** For each attempt that has failed since the last response, the first one of its request; and how many were a request's first. */
	private consecutiveFailures: number[] = [];
	private consecutiveFirstFailures = 0;

	/** The last request, in sending order, that got a response of any status; and when one did. */
	private lastRespondedNumber = 0;
	private lastRespondedAt = -Infinity;

	/** The share of first attempts that failed. */
	private failureShare = 0;

	recordResponse(sequenceNumber: number): void {
		this.lastRespondedNumber = Math.max(this.lastRespondedNumber, sequenceNumber);
		this.lastRespondedAt = time.now();
		this.consecutiveFailures = [];
		this.consecutiveFirstFailures = 0;
		this.failureShare *= 0.99;
	}

	/**
	 * Records an attempt that failed. In an outage, and if three requests fail for the first time in a row, the service does. Else, only this
	 * request fails if
	 * - another one was sent after its first attempt that failed, and answered; or
	 * - nothing else has failed since a response of the last ten seconds, and logins get through.
	 * @param request the same object for all attempts of a request
	 * @param isOutage whether requests wait for the service
	 * @param isAfterLogin whether only a login was answered since the last outage
	 */
	recordFailure(
		request: object,
		sequenceNumber: number,
		{ isOutage, isAfterLogin }: { isOutage: boolean; isAfterLogin: boolean },
	): FailureScope {
		const firstFailedNumber = this.firstFailedNumbers.get(request) ?? sequenceNumber;
		this.firstFailedNumbers.set(request, firstFailedNumber);
		const scope = isOutage ? 'service' : this.scopeOf(sequenceNumber, firstFailedNumber, isAfterLogin);
		// The outage explains it: the request's next failure is its first one.
		if (scope === 'service' && this.haveSeveralFailed) this.firstFailedNumbers.delete(request);
		return scope;
	}

	/** Records a 429, which is no fault of its request. @returns whether so many have failed in a row that all do */
	recordRejection(request: object, sequenceNumber: number): boolean {
		return this.consecutiveFailures.push(this.firstFailedNumbers.get(request) ?? sequenceNumber) >= OUTAGE_THRESHOLD;
	}

	private scopeOf(sequenceNumber: number, firstFailedNumber: number, isAfterLogin: boolean): FailureScope {
		if (sequenceNumber === firstFailedNumber) {
			this.failureShare += 0.01 * (1 - this.failureShare);
			this.consecutiveFirstFailures++;
		}
		if (this.haveSeveralFailed) return 'service';
		const isAlone = this.consecutiveFailures.every((number) => number === firstFailedNumber);
		const wasAnsweredLately = time.now() - this.lastRespondedAt < ALONE_MS;
		if (this.lastRespondedNumber > firstFailedNumber || (isAlone && isAfterLogin && wasAnsweredLately))
			return this.failureShare > RANDOM_SHARE ? 'random' : 'request';
		return this.consecutiveFailures.push(firstFailedNumber) >= OUTAGE_THRESHOLD ? 'service' : 'undecided';
	}

	/** Whether several requests failed for the first time, with no response since. */
	private get haveSeveralFailed(): boolean {
		return this.consecutiveFirstFailures >= OUTAGE_THRESHOLD;
	}
}
