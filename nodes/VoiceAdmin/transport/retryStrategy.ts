import { CHECK_INTERVAL_MS, time, wait } from '../time';
import { acceptanceOf, type RefusedTokenUse, type TokenUse } from './auth/tokenAcceptance';
import type { TokenManager } from './auth/tokenManager';
import type { ConcurrencyLimiter, Permit } from './flow/concurrencyLimiter';
import type { RequestKind } from './flow/fairQueue';
import type { FailureScope } from './flow/outageDetector';
import type { Run } from './flow/run';
import type { AttemptResult, Classification } from './response/classifyFailure';

/** Upper bound of the first delay, which doubles with each further one, in milliseconds. */
const BASE_DELAY_MS = 500;

/** Of any delay without `Retry-After`. */
const MAX_DELAY_MS = 10_000;

/** Of the first delay after a 429, as the limiter finds the rate; and while it isn't known what fails: others may be answered meanwhile. */
const SHORT_DELAY_MS = 100;

/** Maximum retries of a request whose token is refused. */
const MAX_REFUSED_TOKENS = 30;

/** An attempt that failed, maybe before the request was sent. */
export interface FailedAttempt {
	result: AttemptResult;
	classification: Classification;
}

/** The request whose attempts are retried. */
export interface RetriedRequest {
	kind: RequestKind;
	limiter: ConcurrencyLimiter;
	tokens: TokenManager;
	run: Run;
	maxRetries: number;
}

/**
 * Whether and when a failed attempt is retried, by what `classifyFailure` says of it, and what fails (`OutageDetector`); the first row that
 * applies. While it waits for the limiter, it may also fail after Max Wait (`Run.remainingOutageWaitMs`). What a later try of the run
 * repeats: `RunHistory`.
 *
 * | | result | retried | how often |
 * |---|---|---|---|
 * | 1 | it may have been done, and creates something | never | - |
 * | | it may have been done, and Max Retries is 0 | never | - |
 * | 2 | its token was refused, or may have been | as `TokenManager.handleRefused` says; if it gives up, see below | 30 times |
 * | 3 | it can't pass | never | - |
 * | 4 | `Retry-After` is longer than what remains of Max Wait since the first failure that may pass | never | - |
 * | 5 | 429 | after a delay, when the limiter permits it | for as long as Max Wait |
 * | 6 | an outage, or what may become one (`service`, `undecided`) | after its `Retry-After`, or a short delay if `undecided`, when the limiter permits it | for as long as Max Wait |
 * | 7 | the same for longer; or only this request fails (`request`) | after its `Retry-After`, or a delay | Max Retries |
 * | | requests fail at random (`random`) | after a delay | twice Max Retries |
 * | | another error that may pass (408, 425) | after a delay | Max Retries |
 */
export class RetryStrategy {
	private refusedTokens = 0;
	private refusedUse?: RefusedTokenUse;
	private rateLimited = 0;
	private retries = 0;
	private failingSince?: number;

	constructor(private readonly request: RetriedRequest) {}

	/**
	 * Decides what follows a failed attempt, and reports to the limiter and the token manager what it shows.
	 * @returns whether to retry, after a wait; undefined if the failure is final
	 */
	scheduleRetry(attempt: FailedAttempt, use: TokenUse, permit: Permit): Promise<boolean> | undefined {
		const { result, classification } = attempt;
		const { kind, maxRetries, run } = this.request;
		const mayBeDone = classification.outcome === 'unknown';
		const mayBeResent = !mayBeDone || (kind === 'repeatable' && maxRetries > 0); // 1
		const retryWithToken = mayBeResent ? this.tokenRetry(result, use) : undefined; // 2
		// A canceled request shows nothing about the service.
		const health = run.isStopped && 'error' in result ? 'inconclusive' : classification.health;
		const scope = permit.report(retryWithToken ? 'responded' : health, { ...classification, mayBeDone });
		if (retryWithToken) return retryWithToken();
		const delay = mayBeResent ? this.nextDelayMs(classification, scope) : undefined; // 3 to 7
		return delay === undefined ? undefined : wait(delay, () => run.isStopped).then(() => true);
	}

	/** How to retry with a token. @returns undefined if none was refused, or the request gets its response all the same */
	private tokenRetry(result: AttemptResult, use: TokenUse): (() => Promise<boolean>) | undefined {
		const { kind, limiter, run, tokens } = this.request;
		const acceptance = 'response' in result ? acceptanceOf(result.response) : 'unknown';
		if (acceptance !== 'refused' && acceptance !== 'maybeRefused') return undefined;
		if (++this.refusedTokens > MAX_REFUSED_TOKENS) return undefined;
		const refused = (this.refusedUse = tokens.recordRefused(use, this.refusedUse));
		const nextStep = () => tokens.handleRefused(refused, acceptance === 'refused');
		let step = nextStep();
		if (step === 'giveUp') return undefined;
		return async () => {
			// A run that may not wait any longer doesn't wait for its turn with the token either.
			while (step === 'wait' && !run.isStopped && limiter.remainingWaitMs(run, kind) > 0) {
				await time.sleep(CHECK_INTERVAL_MS);
				step = nextStep();
			}
			return step !== 'giveUp';
		};
	}

	/** @returns undefined for no retry */
	private nextDelayMs(classification: Classification, scope?: FailureScope): number | undefined {
		const { isTransient, health, retryAfterMs = 0 } = classification;
		const { maxRetries, run } = this.request;
		if (!isTransient) return undefined; // 3
		const remainingMs = run.remainingWaitMs((this.failingSince ??= time.now()));
		if (retryAfterMs > Math.max(0, remainingMs)) return undefined; // 4
		const isWithinMaxWait = remainingMs > 0;
		if (health === 'rateLimited') return isWithinMaxWait ? backoffMs(SHORT_DELAY_MS, this.rateLimited++) : undefined; // 5
		const failsAlone = scope === 'request' || scope === 'random';
		if (health === 'unavailable' && !failsAlone && isWithinMaxWait)
			return retryAfterMs || (scope === 'undecided' ? backoffMs(SHORT_DELAY_MS, 0) : 0); // 6: the limiter waits
		// 7
		const backoff = backoffMs(BASE_DELAY_MS, this.retries++);
		const mostRetries = scope === 'random' ? 2 * maxRetries : maxRetries;
		// `Retry-After: 0` is ignored: services round down to it, and immediate retries would all be used up.
		return this.retries > mostRetries ? undefined : retryAfterMs || backoff;
	}
}

/** Exponential backoff with full jitter, in milliseconds: requests that failed together don't retry together. */
function backoffMs(base: number, retries: number): number {
	return time.random() * Math.min(base * 2 ** retries, MAX_DELAY_MS);
}
