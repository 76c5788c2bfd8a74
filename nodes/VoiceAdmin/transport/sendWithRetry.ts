import type { VoiceAdminCredential } from './auth/credential';
import { tokenManagerOf } from './auth/tokenManager';
import { type Failure, failureOf } from './failure';
import type { ConcurrencyLimiter } from './flow/concurrencyLimiter';
import { retryDelay } from './flow/retryPolicy';
import { wait } from './flow/time';
import { classify, type Outcome, worstOutcome } from './http/classify';
import { type ApiResponse, MAX_RESPONSE_BYTES } from './http/response';
import { type ApiRequest, type ConnectionOptions, toHttpRequest } from './request';
import { type N8nContext, sendRequest } from './sendRequest';

/** What the requests of an item, or of a poll, are sent with. */
export interface RequestContext {
	context: N8nContext;
	credential: VoiceAdminCredential;
	connection: ConnectionOptions;
	/** Closed when the run is stopped or cancelled. */
	limiter: ConcurrencyLimiter;
	/** How often a request is sent again at the most. */
	maxRetries: number;
	/** Whether the first failure stops the run. */
	stopsOnFailure: boolean;
	/** Maximum size of a response's body, in bytes; by default, that of an operation's. */
	maxBytes?: number;
}

/** What became of a request: what was read from a good response, why it failed, or that the run was stopped before. */
export type RequestResult<Value> = { value: Value } | { failure: Failure } | 'aborted';

/**
 * Sends one request: waits for a permit of the limiter, and retries as the classification of its result says.
 *
 * @param read gives the value of a good response; undefined for any other response
 */
export async function sendWithRetry<Value>(
	{ context, credential, connection, limiter, maxRetries, stopsOnFailure, maxBytes = MAX_RESPONSE_BYTES }: RequestContext,
	request: ApiRequest,
	read: (response: ApiResponse) => Value | undefined,
): Promise<RequestResult<Value>> {
	const isAborted = () => limiter.isClosed;
	const sender = { context, credential, tokens: tokenManagerOf(credential), isAborted, maxBytes };
	const httpRequest = toHttpRequest(request, connection, credential);
	let outcome: Outcome = 'not_sent';
	for (let attempt = 1; ; attempt++) {
		const permit = await limiter.acquire(attempt > 1);
		if (permit === undefined) return 'aborted';
		const sent = await sendRequest(sender, httpRequest);
		const value = sent && 'response' in sent ? read(sent.response) : undefined;
		if (sent === undefined || value !== undefined) {
			limiter.release(permit, sent === undefined ? 'ignore' : 'success');
			return value === undefined ? 'aborted' : { value };
		}
		const classification = classify(request.method, sent);
		outcome = worstOutcome(outcome, classification.outcome);
		const delay = retryDelay(classification, attempt, maxRetries);
		// Before the permit goes to the next in the queue.
		if (delay === undefined && stopsOnFailure) limiter.close();
		// A 429 asks all requests to wait, a 503 those that are sent again.
		const pause = delay !== undefined || classification.code === 'rate_limited' ? classification.retryAfterMs : undefined;
		const waiting = delay === undefined && pause === undefined ? undefined : wait(delay ?? pause!, isAborted);
		if (waiting && pause !== undefined) void limiter.pauseUntil(waiting, permit);
		limiter.release(permit, classification.limiterSignal);
		if (delay === undefined) return { failure: failureOf(request, sent, { ...classification, outcome }, attempt, credential) };
		await waiting;
	}
}
