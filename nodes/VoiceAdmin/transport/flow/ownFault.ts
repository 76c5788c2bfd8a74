import type { FlowController } from './flowController';
import type { FailureDetails, ServiceHealth } from './outage';

/** After how many 429s that it alone gets, a request waits by itself. */
const OWN_LIMIT_AFTER = 3;

/** How much a 429 counts if other requests failed since the last one, too: they may share its quota, or all requests share one. */
const SHARED_429_WEIGHT = 1 / 8;

/** Whether a request fails through its own fault, and shows nothing about the service: others, sent later, get responses. */
export class OwnFault {
	/** Whether the service is available to others, but not to this request. */
	isUnavailableAlone = false;

	/** Whether another request has failed since this one last did. */
	othersFailed = false;

	/** 429s that it got while others got responses. */
	private rateLimitedAloneCount = 0;

	/** The key's failed requests when this one last failed, itself included. */
	private failedCountAtLastFailure = 0;

	private lastFailedNumber?: number;

	/** Its first attempt that failed since the last outage; 0 for none. */
	private firstFailedNumber = 0;

	/** @param limiter whose flow controller is read each time, as it may be replaced */
	constructor(private readonly limiter: { flow: Pick<FlowController, 'breaker' | 'isPaced'> }) {}

	/** Whether the service limits others less than this request. */
	get isRateLimitedAlone(): boolean {
		return this.rateLimitedAloneCount >= OWN_LIMIT_AFTER;
	}

	/** Call it before the limiter records the failure of an attempt. @returns whether the failure shows nothing about the service */
	recordFailure({ health, retryAfterMs }: FailureDetails & { health: ServiceHealth }, sequenceNumber: number): boolean {
		const { lastRespondedNumber, failedCount } = this.limiter.flow.breaker;
		const isFirst = this.lastFailedNumber === undefined;
		const previousFailedNumber = this.lastFailedNumber ?? sequenceNumber;
		this.lastFailedNumber = sequenceNumber;
		this.othersFailed = failedCount > this.failedCountAtLastFailure;
		if (health === 'rateLimited') {
			const othersGotResponses = lastRespondedNumber > previousFailedNumber;
			if (this.rateLimitedAloneCount === 0) this.rateLimitedAloneCount = 1;
			else if (othersGotResponses) this.rateLimitedAloneCount += this.othersFailed ? SHARED_429_WEIGHT : 1;
			return othersGotResponses && !retryAfterMs && this.isRateLimitedAlone;
		}
		this.isUnavailableAlone = this.isOnlyUnavailableToThis(previousFailedNumber);
		// The first failure may still mean too many requests.
		return this.isUnavailableAlone && !isFirst;
	}

	/** Call it after the limiter has recorded the failure. */
	recordReported(): void {
		this.failedCountAtLastFailure = this.limiter.flow.breaker.failedCount;
	}

	/** Not during an outage; nor while the service limits requests and others failed too. */
	private isOnlyUnavailableToThis(previousFailedNumber: number): boolean {
		const { outage, lastRespondedNumber, lastOutage, hasRecovered } = this.limiter.flow.breaker;
		const lastBeforeWait = lastOutage?.lastSentBeforeWait ?? 0;
		if (this.firstFailedNumber <= lastBeforeWait) this.firstFailedNumber = previousFailedNumber;
		const othersGotResponses =
			lastRespondedNumber > this.firstFailedNumber && (hasRecovered || lastBeforeWait < this.firstFailedNumber);
		return (
			(this.isUnavailableAlone || othersGotResponses) && !outage && !(this.othersFailed && this.limiter.flow.isPaced)
		);
	}
}
