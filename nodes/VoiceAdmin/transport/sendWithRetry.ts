import { logDebug } from '../log';
import { Admission, type FailedAttempt, seconds } from './admission';
import type { RefusedToken, SentRequest } from './auth/tokenEvidence';
import { type TokenManager, tokenManagerOf } from './auth/tokenManager';
import { type Failure, failureOf, joinLines } from './failure';
import { type ConcurrencyLimiter, limiterOf } from './flow/concurrencyLimiter';
import type { RequestKind } from './flow/fairQueue';
import type { Permit } from './flow/flowController';
import { SLICE_MS, time, wait } from './flow/time';
import { classify, isIdempotent, judgeToken, type Outcome, worstOutcome } from './http/classify';
import { type ApiResponse, MAX_RESPONSE_BYTES } from './http/response';
import { type ApiRequest, connectionOfNode, type HttpRequest, toHttpRequest } from './request';
import { Resending } from './resending';
import { type RequestContext, sendRequest, type Sent } from './sendRequest';

/** What became of a request: what was read from a good response, why it failed, or that its run was stopped, and what it had done by then. */
export type RequestResult<Value> = { value: Value } | { failure: Failure } | { aborted: Outcome };

/** How long a path is shown in a log line, in characters. */
const MAX_LOGGED_PATH = 100;

/**
 * Sends one request: waits for a token and a permit of the key's limiter, and sends it again as `Resending` says.
 *
 * @param read gives the value of a good response; undefined for any other response
 */
export async function sendWithRetry<Value>(
	context: RequestContext,
	request: ApiRequest,
	read: (response: ApiResponse) => Value | undefined,
): Promise<RequestResult<Value>> {
	const attempts = new Attempts(context, request);
	for (;;) {
		const permit = await attempts.admission.permit();
		if (!('release' in permit)) return context.run.isClosed ? { aborted: attempts.outcome } : attempts.failed(permit);
		try {
			const { sent, sentRequest } = await attempts.next();
			const value = 'response' in sent ? read(sent.response) : undefined;
			if (value !== undefined) {
				permit.release('success');
				return { value };
			}
			const attempt = { sent, classification: classify(request.method, sent) };
			if (await attempts.changesToken(attempt, sentRequest, permit)) continue;
			const delay = attempts.delayAfter(attempt, permit);
			if (delay === undefined) return attempts.failed(attempt);
			await wait(delay, () => context.run.isClosed);
		} finally {
			// What nobody foresaw stops a run too, before the permit goes to the next in the queue.
			if (!permit.isReported && context.stopsOnFailure) context.run.close();
			permit.release();
		}
	}
}

/** The attempts of one request. */
class Attempts {
	readonly admission: Admission;

	private readonly limiter: ConcurrencyLimiter;

	private readonly tokens: TokenManager;

	private readonly httpRequest: HttpRequest;

	private readonly resending: Resending;

	/** The worst of all attempts: what may have been done stays so. */
	outcome: Outcome = 'not_sent';

	private refusedToken?: RefusedToken;

	private readonly kind: RequestKind;

	private readonly id: SentRequest['request'];

	constructor(
		private readonly requestContext: RequestContext,
		private readonly request: ApiRequest,
	) {
		const { credential, connection, maxRetries, run } = requestContext;
		this.kind = isIdempotent(request.method) ? 'repeatable' : 'create';
		this.id = request.method === 'GET' ? request.path : Symbol();
		this.limiter = limiterOf(credential, connectionOfNode(connection, credential));
		this.tokens = tokenManagerOf(credential);
		this.httpRequest = toHttpRequest(request, connection, credential);
		this.resending = new Resending(this.limiter, maxRetries, run.maxWaitMs);
		this.admission = new Admission(requestContext, this.kind, this.limiter, this.resending);
	}

	/** Sends it once. */
	async next(): Promise<{ sent: Sent; sentRequest: SentRequest }> {
		const { context, credential, maxBytes = MAX_RESPONSE_BYTES } = this.requestContext;
		const sentRequest = { request: this.id, token: this.tokens.current, sentAt: time.now() };
		this.resending.sends++;
		const sent = await sendRequest(context, credential, this.httpRequest, sentRequest.token, maxBytes);
		if ('response' in sent && judgeToken(sent.response) === 'accepted') this.tokens.accepted(sentRequest);
		return { sent, sentRequest };
	}

	/** Whether its token was not accepted, and it is to be sent again: waits until it may be. */
	async changesToken({ sent, classification }: FailedAttempt, sentRequest: SentRequest, permit: Permit): Promise<boolean> {
		const { credential, run, maxRetries } = this.requestContext;
		const judgement = 'response' in sent ? judgeToken(sent.response) : 'accepted';
		// A redirect may follow a change that was done.
		const isRefused = judgement === 'refused' || (judgement === 'suspected' && ((this.kind === 'repeatable' && maxRetries > 0) || classification.outcome === 'not_done'));
		if (!isRefused || !this.resending.mayChangeToken()) return false;
		this.refusedToken = this.tokens.refused(sentRequest, this.refusedToken);
		const nextStep = () => this.tokens.nextStep(this.refusedToken!, credential, judgement === 'refused');
		let next = nextStep();
		if (next === 'giveUp') return false;
		this.outcome = worstOutcome(this.outcome, classification.outcome);
		permit.release('answered');
		for (; next === 'wait' && !run.isClosed; next = nextStep()) await time.sleep(SLICE_MS);
		return next !== 'giveUp';
	}

	/** Tells the limiter of a failure, and ends the run if it stops it. @returns after how long it is sent again, in milliseconds; undefined for never */
	delayAfter(attempt: FailedAttempt, permit: Permit): number | undefined {
		const { credential, run, stopsOnFailure } = this.requestContext;
		const { sent, classification } = attempt;
		// What fails because its run was cancelled, or for its own fault, says nothing of the service.
		const saysNothing = (run.isClosed && 'error' in sent) || this.resending.saysNothing(classification);
		const status = 'response' in sent ? sent.response.status : undefined;
		permit.report(saysNothing ? 'ignore' : classification.signal, { retryAfterMs: classification.retryAfterMs, status });
		const delay = this.resending.delayAfter(classification, permit.number);
		// Before the permit goes to the next in the queue.
		if (delay === undefined && stopsOnFailure) run.close();
		permit.release();
		if (delay === undefined) return undefined;
		this.admission.lastFailed = attempt;
		this.outcome = worstOutcome(this.outcome, classification.outcome);
		const path = this.request.path.replace(/\?.*/s, '').slice(0, MAX_LOGGED_PATH);
		const next = this.limiter.flow.breaker.outage ? 'it waits for the service' : `retry in ${Math.round(delay)} ms`;
		logDebug(credential, `${this.request.method} ${path} failed (${classification.code}), attempt ${this.resending.sends}; ${next}`);
		return delay;
	}

	/** The failure of the request, by its last attempt. */
	failed({ sent, classification, waitedMs }: FailedAttempt): { failure: Failure } {
		const { credential, run, stopsOnFailure } = this.requestContext;
		if (stopsOnFailure) run.close();
		const outcome = worstOutcome(this.outcome, classification.outcome);
		const failure = failureOf(this.request, sent, { ...classification, outcome }, this.resending.sends, credential);
		const waited = waitedMs === undefined ? '' : `It has waited for the service for ${seconds(waitedMs)}`;
		return { failure: { ...failure, description: joinLines([failure.description, waited]) } };
	}
}
