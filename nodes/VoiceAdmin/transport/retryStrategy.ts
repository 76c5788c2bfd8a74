import { CHECK_INTERVAL_MS, time } from '../time';
import { acceptanceOf, type RefusedTokenUse, type TokenUse } from './auth/tokenAcceptance';
import type { TokenManager } from './auth/tokenManager';
import type { ConcurrencyLimiter, Permit } from './flow/concurrencyLimiter';
import type { RequestKind } from './flow/fairQueue';
import type { FlowController } from './flow/flowController';
import { OwnFault } from './flow/ownFault';
import type { Run } from './flow/run';
import { type AttemptResult, type Classification, requiresWait } from './response/classifyFailure';

/** Upper bound of the first retry's delay, in milliseconds; it doubles with each further one. */
const BASE_DELAY_MS = 100;

/** Factor on the delay if other requests fail too, or the service limits requests (maybe with 503). */
const SHARED_FAILURE_FACTOR = 10;

/** Maximum delay without `Retry-After`, in milliseconds. */
const MAX_DELAY_MS = 10_000;

/** Minimum delay of a request that alone gets 429s, in milliseconds. */
const OWN_LIMIT_DELAY_MS = 1_000;

/** Maximum retries of a request whose token is refused. */
const MAX_REFUSED_TOKENS = 30;

/** An attempt that failed, maybe before the request was sent. */
export interface FailedAttempt {
	result: AttemptResult;
	classification: Classification;
	/** How long the request waited for an unavailable service, if that is why it failed, in milliseconds. */
	waitedMs?: number;
}

/** Waits until a request may be sent again. @returns false if it may not after all */
export type WaitForRetry = () => Promise<boolean>;

/** The request whose attempts are retried. */
interface RetriedRequest {
	kind: RequestKind;
	limiter: Pick<ConcurrencyLimiter, 'remainingWaitMs'> & { flow: Pick<FlowController, 'breaker' | 'isPaced'> };
	tokens: Pick<TokenManager, 'recordRefused' | 'handleRefused'>;
}

/**
 * Whether and when a failed attempt is retried, by what `classifyFailure` says of it (in a later try of the run,
 * `RunHistory`). Requests wait for the service in the limiter's queue, and for a token by the rules of `TokenManager`.
 *
 * | result | retried | how often |
 * |---|---|---|
 * | its token was refused, or may have been (`tokenRetryReason`) | as `TokenManager.handleRefused` says | 30 times |
 * | 429; or an outage, and the request may be repeated | when the service is back; before an outage is known, after a delay | for as long as Max Wait |
 * | the same for longer, and no outage is known | after a delay | Max Retries |
 * | 429 for the third time while others got responses (the 17th, if they got 429s, too) | after a delay of a second at least | for as long as Max Wait |
 * | an outage, though the service responds to other requests: its own fault | after a delay | Max Retries |
 * | another error that may pass (408, 425), and the request may be repeated | after a delay | Max Retries |
 * | an outage with Max Retries 0, where it may have been done | never | - |
 * | anything else | never | - |
 */
export class RetryStrategy {
	/** How often the request has been sent. */
	attempts = 0;

	private refusedTokens = 0;

	private refusedUse?: RefusedTokenUse;

	private retries = 0;

	private readonly ownFault: OwnFault;

	private firstFailedAt?: number;

	/** Since when it waits by itself. */
	private rateLimitedAloneAt?: number;

	constructor(
		private readonly request: RetriedRequest,
		private readonly run: Run,
		private readonly maxRetries: number,
	) {
		this.ownFault = new OwnFault(request.limiter);
	}

	/** @returns undefined if the token is not why the attempt failed, or the request gets its response all the same */
	planTokenRetry(attempt: FailedAttempt, use: TokenUse, permit: Permit): WaitForRetry | undefined {
		const reason = this.tokenRetryReason(attempt);
		if (reason === undefined || ++this.refusedTokens > MAX_REFUSED_TOKENS) return undefined;
		const {
			run,
			request: { kind, limiter, tokens },
		} = this;
		const refused = tokens.recordRefused(use, this.refusedUse);
		this.refusedUse = refused;
		const nextStep = () => tokens.handleRefused(refused, reason === 'refused');
		let step = nextStep();
		if (step === 'giveUp') return undefined;
		permit.report('responded');
		return async () => {
			// A run that may not wait any longer doesn't wait for its turn with the token either.
			while (step === 'wait' && !run.isStopped && limiter.remainingWaitMs(run, kind) > 0) {
				await time.sleep(CHECK_INTERVAL_MS);
				step = nextStep();
			}
			return step !== 'giveUp';
		};
	}

	/** What a failure shows about the token, if the request may be retried with another one. */
	private tokenRetryReason({ result, classification }: FailedAttempt): 'refused' | 'maybeRefused' | undefined {
		const acceptance = 'response' in result ? acceptanceOf(result.response) : 'unknown';
		if (acceptance === 'refused') return acceptance;
		// A redirect may follow a completed change.
		const mayBeRepeated =
			(this.request.kind === 'repeatable' && this.maxRetries > 0) || classification.outcome === 'not_done';
		return acceptance === 'maybeRefused' && mayBeRepeated ? acceptance : undefined;
	}

	/**
	 * Reports a failure to the limiter: as 'inconclusive' if it shows nothing about the service, as by a cancel or by the
	 * request's own fault.
	 * @returns the delay before the retry, in milliseconds; undefined for none
	 */
	reportFailure(
		classification: Classification,
		permit: Pick<Permit, 'sequenceNumber' | 'report'>,
		isCanceled = false,
	): number | undefined {
		const { health } = classification;
		const mustWait = requiresWait(classification);
		const isOwnFault = mustWait && this.ownFault.recordFailure(classification, permit.sequenceNumber);
		permit.report(isOwnFault || isCanceled ? 'inconclusive' : health, classification);
		if (mustWait) this.ownFault.recordReported();
		return this.nextDelayMs(classification, mustWait);
	}

	/** After the limiter has recorded the failure, which may have begun an outage. */
	private nextDelayMs({ retry, health, outcome, retryAfterMs }: Classification, mustWait: boolean): number | undefined {
		const isRetryable = retry === 'always' || (retry === 'repeatable' && this.request.kind === 'repeatable');
		if (!isRetryable || (mustWait && outcome === 'unknown' && this.maxRetries === 0)) return undefined;
		if (health === 'rateLimited' || (mustWait && !this.ownFault.isUnavailableAlone)) {
			const now = time.now();
			if (health === 'rateLimited' && this.ownFault.isRateLimitedAlone) {
				const delay = Math.max(OWN_LIMIT_DELAY_MS, retryAfterMs ?? 0, backoffDelay(this.attempts));
				return delay < (this.rateLimitedAloneAt ??= now) + this.run.maxWaitMs - now ? delay : undefined;
			}
			const remainingMs = (this.firstFailedAt ??= now) + this.run.maxWaitMs - now;
			// The limiter ends its wait: with many runs, it may have waited for its turn for longer than for the service.
			if (this.request.limiter.flow.breaker.outage) return 0;
			// One failure is no outage yet: the request is retried until the breaker opens.
			if (remainingMs > 0) return backoffDelay(this.attempts);
		}
		// `Retry-After: 0` is ignored: services round down to it, and immediate retries would all be used up.
		if (++this.retries > this.maxRetries) return undefined;
		const factor = this.ownFault.othersFailed || this.request.limiter.flow.isPaced ? SHARED_FAILURE_FACTOR : 1;
		return retryAfterMs || Math.min(factor * backoffDelay(this.retries), MAX_DELAY_MS);
	}
}

/** Exponential backoff with full jitter, in milliseconds: requests that failed together don't retry together. */
export function backoffDelay(attempt: number): number {
	return time.random() * Math.min(BASE_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS);
}
