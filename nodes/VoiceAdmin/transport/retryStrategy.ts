import type { FlowController } from './flow/flowController';
import { time } from '../time';
import { type Classification, isOutage } from './http/classify';

/** Longest first delay before a retry, in milliseconds; it doubles with each further one. */
const BASE_DELAY_MS = 100;

/** Factor on the delay if other requests fail too, or the service limits requests, which it may do by 503. */
const SHARED_FAILURE_FACTOR = 10;

/** Longest delay of our own choosing, in milliseconds. */
const MAX_DELAY_MS = 10_000;

/** Minimum delay of a request that alone gets 429, in milliseconds; and how many 429s it takes to know. */
const OWN_LIMIT_DELAY_MS = 1_000;
const OWN_LIMIT_AFTER = 3;

/** How often a request is sent at most if its token is refused. */
const MAX_REFUSED_TOKENS = 30;

/**
 * When a failed attempt is retried. Whether it may be at all, `classify` says; under Retry On Fail, `runHistory`. What waits
 * for the service or for a token does so in the limiter's queue, or by the rules of the token manager.
 *
 * | what came of it | when it is sent again | how often |
 * |---|---|---|
 * | its token was refused, or may have been (`PendingRequest.judgeTokenOf`) | as `TokenManager.nextStep` says | 30 times |
 * | 429; or an outage, and the request may be repeated | when the service is back | for as long as Max Wait |
 * | 429 for the third time, while the service responded to others, and none of them by 429 | after a delay of a second at least | for as long as Max Wait |
 * | an outage, though the service responds to other requests: its own fault | after a delay | Max Retries |
 * | another error that may pass (408, 425), and the request may be repeated | after a delay | Max Retries |
 * | an outage with Max Retries 0, where it may have been done | never | - |
 * | anything else | never | - |
 */
export class RetryStrategy {
	/** How often it was sent. */
	attempts = 0;

	/** Whether the service responded to other requests, and this one failed. */
	private isOwnFault = false;

	private refusedTokens = 0;

	/** How often it alone got a 429, while others got other responses. */
	private rateLimitedAloneCount = 0;

	/** How many requests with the key had failed when this one last failed, itself included. */
	private failedCountAtLastFailure = 0;

	/** Whether no other request with the key has failed since this one last did. */
	private noOtherFailed = true;

	private retries = 0;

	private lastFailedNumber?: number;

	private firstFailedAt?: number;

	constructor(
		private readonly limiter: { flow: Pick<FlowController, 'breaker' | 'isPaced'> },
		private readonly maxRetries: number,
		private readonly maxWaitMs: number,
	) {}

	recordAttempt(): void {
		this.attempts++;
	}

	/** Whether it may be sent again, once more, with a token that is accepted. */
	countRefusedToken(): boolean {
		return ++this.refusedTokens <= MAX_REFUSED_TOKENS;
	}

	/**
	 * Judges a failure before the limiter knows of it: it is the request's own fault if the service has responded to a request that
	 * was sent after it, or since it failed, without an outage; but not, where the service limits requests, if others failed meanwhile.
	 * @param attemptNumber of the attempt that failed @returns whether it says nothing of the service
	 */
	judgeFailure(classification: Classification, attemptNumber: number): boolean {
		if (!isOutage(classification)) return false;
		const { flow } = this.limiter;
		const { outage, lastRespondedNumber: newestResponse, lastOutage, failedCount } = flow.breaker;
		const isFirst = this.lastFailedNumber === undefined;
		const previous = this.lastFailedNumber ?? attemptNumber;
		const othersGotResponses = newestResponse > previous;
		this.lastFailedNumber = attemptNumber;
		this.noOtherFailed = failedCount <= this.failedCountAtLastFailure;
		if (classification.signal === 'rateLimited') {
			this.rateLimitedAloneCount = this.rateLimitedAloneCount === 0 || !this.noOtherFailed ? 1 : this.rateLimitedAloneCount + Number(othersGotResponses);
			return othersGotResponses && this.noOtherFailed && classification.retryAfterMs === undefined && this.rateLimitedAloneCount >= OWN_LIMIT_AFTER;
		}
		const isOwn = this.isOwnFault || (othersGotResponses && (lastOutage?.lastNumberBeforeWait ?? 0) < previous);
		this.isOwnFault = isOwn && !outage && (this.noOtherFailed || !flow.isPaced);
		// The first failure still says that there may be too many requests.
		return this.isOwnFault && !isFirst;
	}

	/**
	 * To be asked when the limiter knows of the failure.
	 * @returns after how many milliseconds it is to be sent again; undefined for never
	 */
	nextDelay(classification: Classification): number | undefined {
		const { isRetryable, signal, outcome, retryAfterMs } = classification;
		if (!isRetryable || (isOutage(classification) && outcome === 'unknown' && this.maxRetries === 0)) return undefined;
		if (isOutage(classification)) this.failedCountAtLastFailure = this.limiter.flow.breaker.failedCount;
		if (signal === 'rateLimited' || (isOutage(classification) && !this.isOwnFault)) {
			const remainingMs = (this.firstFailedAt ??= time.now()) + this.maxWaitMs - time.now();
			if (signal === 'rateLimited' && this.rateLimitedAloneCount >= OWN_LIMIT_AFTER) {
				const delay = Math.max(OWN_LIMIT_DELAY_MS, retryAfterMs ?? 0, backoffDelay(this.attempts));
				return delay < remainingMs ? delay : undefined;
			}
			if (this.limiter.flow.breaker.outage) return remainingMs > 0 ? 0 : undefined;
			// One failure makes no outage: a request that can be repeated is sent again, until it does.
			if (remainingMs > 0) return backoffDelay(this.attempts);
		}
		// A `Retry-After` of 0 is no delay to obey: services round down to it, and retries at once would all be used up in it.
		if (++this.retries > this.maxRetries) return undefined;
		const factor = this.noOtherFailed && !this.limiter.flow.isPaced ? 1 : SHARED_FAILURE_FACTOR;
		return retryAfterMs || Math.min(factor * backoffDelay(this.retries), MAX_DELAY_MS);
	}
}

/** Exponential backoff with full jitter, in milliseconds: requests that failed together do not come back together. */
export function backoffDelay(attempt: number): number {
	return time.random() * Math.min(BASE_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS);
}
