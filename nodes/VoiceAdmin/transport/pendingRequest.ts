import { logDebug } from '../log';
import type { VoiceAdminCredential } from './auth/credential';
import { judgeToken, type RefusedTokenUse, type TokenUse } from './auth/tokenEvidence';
import { type TokenManager, tokenManagerOf } from './auth/tokenManager';
import { type Failure, failureOf, joinSentences } from './failure';
import { type ConcurrencyLimiter, limiterOf, type Permit } from './flow/concurrencyLimiter';
import type { RequestKind } from './flow/fairQueue';
import type { RunController } from './flow/runController';
import { CHECK_INTERVAL_MS, formatSeconds, time } from '../time';
import { type Classification, isIdempotent, type Outcome, worstOutcome } from './http/classify';
import { MAX_RESPONSE_BYTES } from './http/response';
import { type ApiRequest, connectionKey, type ConnectionOptions, type HttpRequest, toHttpRequest } from './apiRequest';
import { RetryStrategy } from './retryStrategy';
import { type N8nContext, sendRequest, type SendResult } from './sendRequest';

/** In characters. */
const MAX_LOGGED_PATH = 100;

export interface RequestContext {
	n8n: N8nContext;
	credential: VoiceAdminCredential;
	connection: ConnectionOptions;
	run: RunController;
	/** Maximum retries of a request that fails for its own fault. */
	maxRetries: number;
	/** Whether the first failure stops the run. */
	stopsOnFailure: boolean;
	/** Maximum response body, in bytes; by default, `MAX_RESPONSE_BYTES`. */
	maxBytes?: number;
}

export interface FailedAttempt {
	result: SendResult;
	classification: Classification;
	/** How long the request waited for an unavailable service, if that is why it failed, in milliseconds. */
	waitedMs?: number;
}

/** A request across its attempts, until it succeeds or fails for good. */
export class PendingRequest {
	readonly kind: RequestKind;

	readonly limiter: ConcurrencyLimiter;

	readonly tokens: TokenManager;

	readonly strategy: RetryStrategy;

	readonly startedAt = time.now();

	/** The worst of all attempts: once unknown, it stays unknown. */
	outcome: Outcome = 'not_sent';

	/** The last failure that was retried. */
	lastFailure?: FailedAttempt;

	private readonly httpRequest: HttpRequest;

	private readonly requestId: TokenUse['requestId'];

	private lastTokenUse!: TokenUse;

	private refusedUse?: RefusedTokenUse;

	constructor(
		readonly context: RequestContext,
		private readonly request: ApiRequest,
	) {
		const { credential, connection, maxRetries, run } = context;
		this.kind = isIdempotent(request) ? 'idempotent' : 'create';
		this.requestId = request.method === 'GET' ? request.path : Symbol();
		this.limiter = limiterOf(credential, connectionKey(connection, credential));
		this.tokens = tokenManagerOf(credential);
		this.httpRequest = toHttpRequest(request, connection, credential);
		this.strategy = new RetryStrategy(this.limiter, maxRetries, run.maxWaitMs);
	}

	async send(): Promise<SendResult> {
		const { n8n, credential, maxBytes = MAX_RESPONSE_BYTES } = this.context;
		this.lastTokenUse = { requestId: this.requestId, token: this.tokens.current, sentAt: time.now() };
		this.strategy.recordAttempt();
		const result = await sendRequest(n8n, credential, this.httpRequest, this.lastTokenUse.token, maxBytes);
		if ('response' in result && judgeToken(result.response) === 'accepted') this.tokens.recordAccepted(this.lastTokenUse);
		return result;
	}

	/** If the token was refused, releases the permit and waits for the retry. @returns false if there is none */
	async waitForTokenRetry(attempt: FailedAttempt, permit: Permit): Promise<boolean> {
		const { run } = this.context;
		const { outcome } = attempt.classification;
		const judgement = this.tokenRetryReason(attempt);
		if (judgement === undefined || !this.strategy.countRefusedToken()) return false;
		const refused = this.tokens.recordRefused(this.lastTokenUse, this.refusedUse);
		this.refusedUse = refused;
		const nextStep = () => this.tokens.nextStep(refused, judgement === 'refused');
		let step = nextStep();
		if (step === 'giveUp') return false;
		this.outcome = worstOutcome(this.outcome, outcome);
		permit.release('responded');
		for (; step === 'wait' && !run.isStopped; step = nextStep()) await time.sleep(CHECK_INTERVAL_MS);
		return step !== 'giveUp';
	}

	/** What a failure shows about the token, if the request may be retried with another one. */
	private tokenRetryReason({ result, classification }: FailedAttempt): 'refused' | 'suspected' | undefined {
		const judgement = 'response' in result ? judgeToken(result.response) : 'unknown';
		if (judgement === 'refused') return judgement;
		// A redirect may follow a completed change.
		const mayBeRepeated = (this.kind === 'idempotent' && this.context.maxRetries > 0) || classification.outcome === 'not_done';
		return judgement === 'suspected' && mayBeRepeated ? judgement : undefined;
	}

	/** Reports a failure to the limiter, and stops the run if the failure is final. @returns the delay before the retry, in milliseconds; undefined for none */
	recordFailure(attempt: FailedAttempt, permit: Permit): number | undefined {
		const { run, stopsOnFailure } = this.context;
		const { result, classification } = attempt;
		// A failure by a cancel, or by the request's own fault, shows nothing about the service.
		const saysNothingOfService = this.strategy.judgeFailure(classification, permit.number) || (run.isStopped && 'error' in result);
		permit.report(saysNothingOfService ? 'ignore' : classification.signal, classification);
		const delay = this.strategy.nextDelay(classification);
		// Before releasing, which would send the next request.
		if (delay === undefined && stopsOnFailure) run.stop();
		permit.release();
		if (delay === undefined) return undefined;
		this.lastFailure = attempt;
		this.outcome = worstOutcome(this.outcome, classification.outcome);
		this.logRetry(classification, delay);
		return delay;
	}

	private logRetry({ code }: Classification, delay: number): void {
		const { method, path } = this.request;
		const shown = path.replace(/\?.*/s, '').slice(0, MAX_LOGGED_PATH);
		const next = this.limiter.flow.breaker.outage ? 'it waits for the service' : `retry in ${Math.round(delay)} ms`;
		logDebug(this.context.credential, `${method} ${shown} failed (${code}), attempt ${this.strategy.attempts}; ${next}`);
	}

	failureAfter({ result, classification, waitedMs }: FailedAttempt): Failure {
		const outcome = worstOutcome(this.outcome, classification.outcome);
		const failure = failureOf(this.request, result, { ...classification, outcome }, this.strategy.attempts, this.context.credential);
		const waited = waitedMs === undefined ? '' : `The request waited for the service for ${formatSeconds(waitedMs)}`;
		return { ...failure, description: joinSentences([failure.description, waited]) };
	}
}
