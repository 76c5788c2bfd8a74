import { logDebug } from '../log';
import { time } from '../time';
import type { ApiRequest } from './apiRequest';
import type { VoiceAdminCredential } from './auth/credential';
import type { LoginError } from './auth/login';
import { acceptanceOf } from './auth/tokenAcceptance';
import { tokenManagerOf } from './auth/tokenManager';
import { type Failure, failureOf, outageError } from './failure';
import { limiterOf, type Permit } from './flow/concurrencyLimiter';
import type { QueuedRequest } from './flow/fairQueue';
import type { Run } from './flow/run';
import { classifyFailure, isRepeatable, isSafe, type Outcome, worstOutcome } from './response/classifyFailure';
import { type ApiResponse, MAX_RESPONSE_BYTES } from './response/readResponse';
import { type FailedAttempt, type RetriedRequest, RetryStrategy } from './retryStrategy';
import { type N8nContext, sendRequest, toHttpRequest } from './sendRequest';

/** Maximum characters of a path in the log. */
const MAX_LOGGED_PATH = 100;

/** What requests of one run with one credential have in common. */
export interface RequestSettings {
	n8n: N8nContext;
	credential: VoiceAdminCredential;
	/** Of one request, in milliseconds. */
	timeoutMs: number;
	run: Run;
	/** Maximum retries of a request that fails alone. */
	maxRetries: number;
	/** Maximum response body, in bytes; by default, `MAX_RESPONSE_BYTES`. */
	maxBytes?: number;
}

/** A request's value, its failure, or that its run was stopped, with the outcome so far. `wasResent`: its outcome was unknown before. */
export type RequestResult<Value> = { value: Value; wasResent?: boolean } | { failure: Failure } | { stopped: Outcome };

/** Takes the outcome that a request has if n8n's process or its execution ends now. */
export type RecordOutcome = (outcome: Outcome) => void;

type Admission = { token: string; permit: Permit };

type Attempt<Value> = { value: Value; wasResent: boolean } | { failed: FailedAttempt; retry?: Promise<boolean> };

/**
 * Sends one request with a token and a permit of the key's limiter, and retries it as `RetryStrategy` says.
 * @param readValue returns undefined for a response that is not a success
 * @param recordOutcome called before each attempt, and before each retry
 * @throws only an unexpected error, as from `readValue`
 */
export async function sendWithRetry<Value>(
	settings: RequestSettings,
	request: ApiRequest,
	readValue: (response: ApiResponse) => Value | undefined,
	recordOutcome: RecordOutcome = () => {},
): Promise<RequestResult<Value>> {
	return await new RequestSender(settings, request, readValue, recordOutcome).send();
}

/** A request across its attempts, until it succeeds or fails for good. */
class RequestSender<Value> {
	private readonly retried: RetriedRequest;
	private readonly queued: QueuedRequest;
	private readonly strategy: RetryStrategy;

	private attempts = 0;

	/** The worst of the attempts that were retried: once unknown, it stays unknown. */
	private outcome: Outcome = 'not_sent';

	constructor(
		private readonly settings: RequestSettings,
		private readonly request: ApiRequest,
		private readonly readValue: (response: ApiResponse) => Value | undefined,
		private readonly recordOutcome: RecordOutcome,
	) {
		const { credential, maxRetries, run } = settings;
		const kind = isRepeatable(request) ? 'repeatable' : 'create';
		const tokens = tokenManagerOf(credential);
		this.retried = { kind, limiter: limiterOf(credential), tokens, run, maxRetries };
		this.queued = { kind, isRetry: false, probeByLogin: () => tokens.probe(settings) };
		this.strategy = new RetryStrategy(this.retried);
	}

	async send(): Promise<RequestResult<Value>> {
		const { run } = this.settings;
		for (;;) {
			const admission = await this.admit();
			if (!('permit' in admission) && run.isStopped) return { stopped: this.outcome };
			const attempt: Attempt<Value> = 'permit' in admission ? await this.attempt(admission) : { failed: admission };
			if ('value' in attempt) return attempt;
			if (await attempt.retry) continue;
			run.handleFailure();
			return { failure: this.failureAfter(attempt.failed) };
		}
	}

	/** Waits for a token, then for a permit. @returns them, or why the request is not sent */
	private async admit(): Promise<Admission | FailedAttempt> {
		const { limiter, run, tokens } = this.retried;
		for (;;) {
			// Without holding a permit: requests with another key may need it.
			const login = await tokens.get(this.settings);
			if (typeof login !== 'string') return this.notAdmitted(login);
			const permit = await limiter.acquire(run, this.queued);
			if (permit === undefined) return this.notAdmitted();
			// Another request may have discarded the token, or stopped the run, meanwhile.
			const token = tokens.current;
			if (token !== undefined && !run.isStopped) return { token, permit };
			permit.release();
		}
	}

	/** Why the request is not sent. */
	private notAdmitted(loginError?: LoginError): FailedAttempt {
		const { kind, limiter } = this.retried;
		const outage = limiter.monitor.outageOf(kind) ?? limiter.monitor.outageOf('login');
		const result = { error: loginError ?? (outage && outageError(outage)), wasSent: false };
		return { result, classification: classifyFailure(this.request, result) };
	}

	/** Sends the request once. */
	private async attempt({ token, permit }: Admission): Promise<Attempt<Value>> {
		const { n8n, credential, timeoutMs, maxBytes = MAX_RESPONSE_BYTES } = this.settings;
		const { limiter, run, tokens } = this.retried;
		let mayContinue = false;
		try {
			const use = { token, sentAt: time.now() };
			this.attempts++;
			this.queued.isRetry = true;
			this.recordOutcome('unknown');
			const httpRequest = toHttpRequest(this.request, credential, timeoutMs);
			const result = await sendRequest(n8n, credential, httpRequest, token, maxBytes);
			const value = 'response' in result ? this.readValue(result.response) : undefined;
			if (value !== undefined) {
				tokens.recordAccepted(use);
				permit.report('healthy');
				mayContinue = true;
				return { value, wasResent: this.outcome === 'unknown' && !isSafe(this.request) };
			}
			const failed = { result, classification: classifyFailure(this.request, result, limiter.monitor.isApiConfirmed) };
			if ('response' in result && acceptanceOf(result.response) === 'accepted') tokens.recordAccepted(use);
			const retry = this.strategy.scheduleRetry(failed, use, permit);
			mayContinue = retry !== undefined;
			if (retry) this.recordRetry(failed);
			return { failed, retry };
		} finally {
			// Before the permit goes to the next request. An unexpected error stops the run, too.
			if (!mayContinue) run.handleFailure();
			permit.release();
		}
	}

	private recordRetry({ classification: { code, outcome } }: FailedAttempt): void {
		this.outcome = worstOutcome(this.outcome, outcome);
		this.recordOutcome(this.outcome);
		const name = `${this.request.method} ${this.request.path.slice(0, MAX_LOGGED_PATH)}`;
		logDebug(this.settings.credential, `${name} failed (${code}), attempt ${this.attempts}; it's retried`);
	}

	/** Why the request failed, after its last attempt. */
	private failureAfter({ result, classification }: FailedAttempt): Failure {
		const { attempts } = this;
		const { recentTokens } = this.retried.tokens;
		const outcome = worstOutcome(this.outcome, classification.outcome);
		const sentWith = { attempts, credential: this.settings.credential, recentTokens };
		return failureOf(this.request, result, { ...classification, outcome }, sentWith);
	}
}
