import { formatSeconds, joinSentences } from '../text';
import { logDebug } from '../log';
import { time, wait } from '../time';
import type { VoiceAdminCredential } from './auth/credential';
import { acceptanceOf, type TokenUse } from './auth/tokenAcceptance';
import { type TokenManager, tokenManagerOf } from './auth/tokenManager';
import { type Failure, failureOf } from './failure';
import { type ConcurrencyLimiter, limiterOf, type Permit } from './flow/concurrencyLimiter';
import type { RequestKind } from './flow/fairQueue';
import type { Run } from './flow/run';
import {
	type AttemptResult,
	type Classification,
	isRepeatable,
	type Outcome,
	worstOutcome,
} from './response/classifyFailure';
import { MAX_RESPONSE_BYTES } from './response/readResponse';
import type { ApiRequest } from './apiRequest';
import { type FailedAttempt, RetryStrategy, type WaitForRetry } from './retryStrategy';
import { type HttpRequest, type N8nContext, sendRequest, toHttpRequest } from './sendRequest';

/** Maximum characters of a path in the log. */
const MAX_LOGGED_PATH = 100;

/** What requests of one run with one credential have in common. */
export interface RequestSettings {
	n8n: N8nContext;
	credential: VoiceAdminCredential;
	/** Of one request, in milliseconds. */
	timeoutMs: number;
	run: Run;
	/** Maximum retries of a request that fails through its own fault. */
	maxRetries: number;
	/** Maximum response body, in bytes; by default, `MAX_RESPONSE_BYTES`. */
	maxBytes?: number;
}

/** Takes the outcome that a request has if n8n's process or its execution ends now. */
export type RecordOutcome = (outcome: Outcome) => void;

/** A request across its attempts, until it succeeds or fails for good. */
export class PendingRequest {
	readonly kind: RequestKind;

	readonly limiter: ConcurrencyLimiter;

	readonly tokens: TokenManager;

	readonly strategy: RetryStrategy;

	readonly startedAt = time.now();

	/** The worst of the attempts that were retried: once unknown, it stays unknown. */
	outcome: Outcome = 'not_sent';

	/** The last failure that was retried after a delay or an outage. */
	lastFailure?: FailedAttempt;

	private readonly httpRequest: HttpRequest;

	constructor(
		readonly settings: RequestSettings,
		readonly request: ApiRequest,
		private readonly recordOutcome: RecordOutcome = () => {},
	) {
		const { credential, timeoutMs, maxRetries, run } = settings;
		this.kind = isRepeatable(request) ? 'repeatable' : 'create';
		this.limiter = limiterOf(credential);
		this.tokens = tokenManagerOf(credential);
		this.httpRequest = toHttpRequest(request, credential, timeoutMs);
		this.strategy = new RetryStrategy(this, run, maxRetries);
	}

	/** Sends the request once; never rejects. */
	async send(token: string): Promise<{ result: AttemptResult; use: TokenUse }> {
		const { n8n, credential, maxBytes = MAX_RESPONSE_BYTES } = this.settings;
		const use = { token, sentAt: time.now() };
		this.strategy.attempts++;
		this.recordOutcome('unknown');
		const result = await sendRequest(n8n, credential, this.httpRequest, token, maxBytes);
		if ('response' in result && acceptanceOf(result.response) === 'accepted') this.tokens.recordAccepted(use);
		return { result, use };
	}

	/** Reports a failed attempt to the limiter. @returns undefined if the failure is final */
	planRetry(attempt: FailedAttempt, use: TokenUse, permit: Permit): WaitForRetry | undefined {
		const waitForRetry = this.strategy.planTokenRetry(attempt, use, permit) ?? this.planDelayedRetry(attempt, permit);
		if (waitForRetry) {
			this.outcome = worstOutcome(this.outcome, attempt.classification.outcome);
			this.recordOutcome(this.outcome);
		}
		return waitForRetry;
	}

	private planDelayedRetry(attempt: FailedAttempt, permit: Permit): WaitForRetry | undefined {
		const { run } = this.settings;
		const delay = this.strategy.reportFailure(
			attempt.classification,
			permit,
			run.isStopped && 'error' in attempt.result,
		);
		if (delay === undefined) return undefined;
		this.lastFailure = attempt;
		this.logRetry(attempt.classification, delay);
		return async () => {
			await wait(delay, () => run.isStopped);
			return true;
		};
	}

	private logRetry({ code }: Classification, delay: number): void {
		const { method, path } = this.request;
		const next = this.limiter.flow.breaker.outage ? 'it waits for the service' : `retry in ${Math.round(delay)} ms`;
		logDebug(
			this.settings.credential,
			`${method} ${path.slice(0, MAX_LOGGED_PATH)} failed (${code}), attempt ${this.strategy.attempts}; ${next}`,
		);
	}

	/** Why the request failed, after its last attempt. */
	failureAfter({ result, classification, waitedMs }: FailedAttempt): Failure {
		const outcome = worstOutcome(this.outcome, classification.outcome);
		const {
			settings: { credential },
			strategy: { attempts },
			tokens: { recentTokens },
		} = this;
		const failure = failureOf(
			this.request,
			result,
			{ ...classification, outcome },
			{ attempts, credential, recentTokens },
		);
		const waited = waitedMs === undefined ? '' : `The request waited for the service for ${formatSeconds(waitedMs)}`;
		return { ...failure, description: joinSentences([failure.description, waited]) };
	}
}
