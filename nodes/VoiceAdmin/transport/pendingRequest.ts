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

/** How long a path is shown in a log line, in characters. */
const MAX_LOGGED_PATH = 100;

/** What the requests of an item, or of a poll, are sent with. */
export interface RequestContext {
	n8n: N8nContext;
	credential: VoiceAdminCredential;
	connection: ConnectionOptions;
	/** Stopped by a failure or a cancel. */
	run: RunController;
	/** How often a request is sent again at the most for a fault of its own. */
	maxRetries: number;
	/** Whether the first failure stops the run. */
	stopsOnFailure: boolean;
	/** Maximum size of a response's body, in bytes; by default, that of an operation's. */
	maxBytes?: number;
}

/** An attempt that failed. */
export interface FailedAttempt {
	result: SendResult;
	classification: Classification;
	/** For how long its service has been unavailable, where that is why, in milliseconds. */
	waitedMs?: number;
}

/** A request from its first attempt to its result: what its attempts are sent with, and what came of them so far. */
export class PendingRequest {
	readonly kind: RequestKind;

	readonly limiter: ConcurrencyLimiter;

	readonly tokens: TokenManager;

	readonly strategy: RetryStrategy;

	readonly startedAt = time.now();

	/** The worst of all attempts: what may have been done stays so. */
	outcome: Outcome = 'not_sent';

	/** The attempt that failed last, and is to be sent again. */
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

	/** Sends it once. */
	async send(): Promise<SendResult> {
		const { n8n, credential, maxBytes = MAX_RESPONSE_BYTES } = this.context;
		this.lastTokenUse = { requestId: this.requestId, token: this.tokens.current, sentAt: time.now() };
		this.strategy.recordAttempt();
		const result = await sendRequest(n8n, credential, this.httpRequest, this.lastTokenUse.token, maxBytes);
		if ('response' in result && judgeToken(result.response) === 'accepted') this.tokens.recordAccepted(this.lastTokenUse);
		return result;
	}

	/** If its token was refused: gives back the permit, and waits until it may be sent again. @returns false where it may not */
	async waitForTokenRetry(attempt: FailedAttempt, permit: Permit): Promise<boolean> {
		const { run } = this.context;
		const { outcome } = attempt.classification;
		const judgement = this.judgeTokenOf(attempt);
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

	/** What a failure says of the token, where the request may be sent again for that. */
	private judgeTokenOf({ result, classification }: FailedAttempt): 'refused' | 'suspected' | undefined {
		const judgement = 'response' in result ? judgeToken(result.response) : 'unknown';
		if (judgement === 'refused') return judgement;
		// A redirect may follow a change that was done.
		const mayBeRepeated = (this.kind === 'idempotent' && this.context.maxRetries > 0) || classification.outcome === 'not_done';
		return judgement === 'suspected' && mayBeRepeated ? judgement : undefined;
	}

	/** Tells the limiter of a failure, and ends the run if it stops it. @returns after how long it is sent again, in milliseconds; undefined for never */
	recordFailure(attempt: FailedAttempt, permit: Permit): number | undefined {
		const { run, stopsOnFailure } = this.context;
		const { result, classification } = attempt;
		// What fails because its run was canceled, or for its own fault, says nothing of the service.
		const saysNothingOfService = this.strategy.judgeFailure(classification, permit.number) || (run.isStopped && 'error' in result);
		permit.report(saysNothingOfService ? 'ignore' : classification.signal, classification);
		const delay = this.strategy.nextDelay(classification);
		// Before the permit goes to the next in the queue.
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

	/** The failure of the request, by its last attempt. */
	failureAfter({ result, classification, waitedMs }: FailedAttempt): Failure {
		const outcome = worstOutcome(this.outcome, classification.outcome);
		const failure = failureOf(this.request, result, { ...classification, outcome }, this.strategy.attempts, this.context.credential);
		const waited = waitedMs === undefined ? '' : `The request waited for the service for ${formatSeconds(waitedMs)}`;
		return { ...failure, description: joinSentences([failure.description, waited]) };
	}
}
