import { time } from '../time';
import type { Permit } from './flow/concurrencyLimiter';
import type { RequestKind } from './flow/fairQueue';
import type { FlowController } from './flow/flowController';
import { type Classification, requiresWait } from './response/classifyFailure';

/** Longest first delay before a retry, in milliseconds; it doubles with each further one. */
const BASE_DELAY_MS = 100;

/** Factor on the delay if other requests fail too, or the service limits requests (maybe with 503). */
const SHARED_FAILURE_FACTOR = 10;

/** Maximum delay without `Retry-After`, in milliseconds. */
const MAX_DELAY_MS = 10_000;

/** Minimum delay of a request that alone gets 429s, in milliseconds; and after how many it waits by itself. */
const OWN_LIMIT_DELAY_MS = 1_000;
const OWN_LIMIT_AFTER = 3;

/** Maximum retries of a request whose token is refused. */
const MAX_REFUSED_TOKENS = 30;

/**
 * Whether and when a failed attempt is retried, by what `classifyFailure` says of it (under Retry On Fail, `runHistory`). Requests wait for the
 * service in the limiter's queue, and for a token by the rules of `TokenManager`.
 *
 * | result | retried | how often |
 * |---|---|---|
 * | its token was refused, or may have been (`PendingRequest.tokenRetryReason`) | as `TokenManager.takeNextStep` says | 30 times |
 * | 429; or an outage, and the request may be repeated | when the service is back; before an outage is known, after a delay | for as long as Max Wait |
 * | the same for longer, and no outage is known | after a delay | Max Retries |
 * | 429 for the third time, while the service responded to others, and none of them by 429 | after a delay of a second at least | for as long as Max Wait |
 * | an outage, though the service responds to other requests: its own fault | after a delay | Max Retries |
 * | another error that may pass (408, 425), and the request may be repeated | after a delay | Max Retries |
 * | an outage with Max Retries 0, where it may have been done | never | - |
 * | anything else | never | - |
 */
export class RetryStrategy {
	/** How often the request has been sent. */
	attempts = 0;

	/** Whether it failed while the service responded to other requests. */
	private isOwnFault = false;

	private refusedTokens = 0;

	/** 429s that it alone got. */
	private rateLimitedAloneCount = 0;

	/** The key's failed requests when this one last failed, itself included. */
	private failedCountAtLastFailure = 0;

	/** Whether another request has failed since this one last did. */
	private othersFailed = false;

	private retries = 0;

	private lastFailedNumber?: number;

	/** Its first attempt that failed since the last outage; 0 for none. */
	private firstFailedNumber = 0;

	private firstFailedAt?: number;

	constructor(
		private readonly limiter: { flow: Pick<FlowController, 'breaker' | 'isPaced'> },
		private readonly kind: RequestKind,
		private readonly maxRetries: number,
		private readonly maxWaitMs: number,
	) {}

	/** Read again each time, as the limiter replaces its flow controller. */
	private get breaker() {
		return this.limiter.flow.breaker;
	}

	recordSent(): void {
		this.attempts++;
	}

	/** Counts a refused token. @returns whether the request may be retried */
	countRefusedToken(): boolean {
		return ++this.refusedTokens <= MAX_REFUSED_TOKENS;
	}

	/**
	 * Reports a failure to the limiter: as 'unknown' if it shows nothing about the service, as by a cancel or by the request's own fault.
	 * @returns the delay before the retry, in milliseconds; undefined for none
	 */
	reportFailure(classification: Classification, permit: Pick<Permit, 'sequenceNumber' | 'report'>, isCanceled = false): number | undefined {
		const showsNothing = this.showsNothing(classification, permit.sequenceNumber) || isCanceled;
		permit.report(showsNothing ? 'unknown' : classification.health, classification);
		if (requiresWait(classification)) this.failedCountAtLastFailure = this.breaker.failedCount;
		return this.nextDelayMs(classification);
	}

	/**
	 * Judges a failure before the limiter records it: it is the request's own fault if a request sent later got a response and there
	 * is no outage, unless the service limits requests and others failed too.
	 * @param sequenceNumber of the attempt @returns whether the failure shows nothing about the service
	 */
	private showsNothing(classification: Classification, sequenceNumber: number): boolean {
		if (!requiresWait(classification)) return false;
		const { lastRespondedNumber, failedCount } = this.breaker;
		const isFirst = this.lastFailedNumber === undefined;
		const previousFailedNumber = this.lastFailedNumber ?? sequenceNumber;
		this.lastFailedNumber = sequenceNumber;
		this.othersFailed = failedCount > this.failedCountAtLastFailure;
		if (classification.health === 'rateLimited') {
			const othersGotResponses = lastRespondedNumber > previousFailedNumber;
			this.rateLimitedAloneCount = this.rateLimitedAloneCount === 0 || this.othersFailed ? 1 : this.rateLimitedAloneCount + Number(othersGotResponses);
			return othersGotResponses && !this.othersFailed && !classification.retryAfterMs && this.rateLimitedAloneCount >= OWN_LIMIT_AFTER;
		}
		this.isOwnFault = this.isUnavailabilityOwnFault(previousFailedNumber);
		// The first failure may still mean too many requests.
		return this.isOwnFault && !isFirst;
	}

	private isUnavailabilityOwnFault(previousFailedNumber: number): boolean {
		const { outage, lastRespondedNumber, lastOutage, hasRecovered } = this.breaker;
		const lastBeforeWait = lastOutage?.lastNumberBeforeWait ?? 0;
		if (this.firstFailedNumber <= lastBeforeWait) this.firstFailedNumber = previousFailedNumber;
		const othersGotResponses = lastRespondedNumber > this.firstFailedNumber && (hasRecovered || lastBeforeWait < this.firstFailedNumber);
		return (this.isOwnFault || othersGotResponses) && !outage && !(this.othersFailed && this.limiter.flow.isPaced);
	}

	/** After the limiter has recorded the failure, which may have begun an outage. */
	private nextDelayMs(classification: Classification): number | undefined {
		const { retry, health, outcome, retryAfterMs } = classification;
		const isRetryable = retry === 'always' || (retry === 'repeatable' && this.kind === 'repeatable');
		const mustWait = requiresWait(classification);
		if (!isRetryable || (mustWait && outcome === 'unknown' && this.maxRetries === 0)) return undefined;
		if (health === 'rateLimited' || (mustWait && !this.isOwnFault)) {
			const remainingMs = (this.firstFailedAt ??= time.now()) + this.maxWaitMs - time.now();
			if (health === 'rateLimited' && this.rateLimitedAloneCount >= OWN_LIMIT_AFTER) {
				const delay = Math.max(OWN_LIMIT_DELAY_MS, retryAfterMs ?? 0, backoffDelay(this.attempts));
				return delay < remainingMs ? delay : undefined;
			}
			// The limiter ends its wait: with many runs, it may have waited for its turn for longer than for the service.
			if (this.breaker.outage) return 0;
			// One failure is no outage yet: the request is retried until the breaker opens.
			if (remainingMs > 0) return backoffDelay(this.attempts);
		}
		// `Retry-After: 0` is ignored: services round down to it, and immediate retries would all be used up.
		if (++this.retries > this.maxRetries) return undefined;
		const factor = this.othersFailed || this.limiter.flow.isPaced ? SHARED_FAILURE_FACTOR : 1;
		return retryAfterMs || Math.min(factor * backoffDelay(this.retries), MAX_DELAY_MS);
	}
}

/** Exponential backoff with full jitter, in milliseconds: requests that failed together don't retry together. */
export function backoffDelay(attempt: number): number {
	return time.random() * Math.min(BASE_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS);
}
