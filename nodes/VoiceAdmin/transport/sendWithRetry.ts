import type { VoiceAdminCredential } from './auth/credential';
import { tokenManagerOf } from './auth/tokenManager';
import { type Failure, failureOf } from './failure';
import { limiterOf } from './flow/limiters';
import { logDebug } from './flow/log';
import { retryDelay } from './flow/retryPolicy';
import type { RunQueue } from './flow/runQueue';
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
	queue: RunQueue;
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
	{ context, credential, connection, queue, maxRetries, stopsOnFailure, maxBytes = MAX_RESPONSE_BYTES }: RequestContext,
	request: ApiRequest,
	read: (response: ApiResponse) => Value | undefined,
): Promise<RequestResult<Value>> {
	const limiter = limiterOf(credential);
	const sender = { context, credential, tokens: tokenManagerOf(credential), queue, maxBytes };
	const httpRequest = toHttpRequest(request, connection, credential);
	let outcome: Outcome = 'not_sent';
	for (let attempt = 1; ; attempt++) {
		const permit = await queue.acquire(limiter, attempt > 1);
		if (permit === undefined) return 'aborted';
		const sent = await sendRequest(sender, httpRequest);
		const value = sent && 'response' in sent ? read(sent.response) : undefined;
		if (sent === undefined || value !== undefined) {
			permit.release(sent === undefined ? 'ignore' : 'success');
			return value === undefined ? 'aborted' : { value };
		}
		const classification = classify(request.method, sent);
		const { code, retryAfterMs, limiterSignal } = classification;
		outcome = worstOutcome(outcome, classification.outcome);
		const delay = retryDelay(classification, attempt, maxRetries);
		// Before the permit goes to the next in the queue.
		if (delay === undefined && stopsOnFailure) queue.close();
		// A 429 asks all requests to wait, a 503 those that are sent again.
		const pause = delay !== undefined || code === 'rate_limited' ? retryAfterMs : undefined;
		permit.release(limiterSignal, pause);
		if (delay === undefined) return { failure: failureOf(request, sent, { ...classification, outcome }, attempt, credential) };
		logDebug(credential, `${request.method} ${request.path} failed (${code}), attempt ${attempt} of ${maxRetries + 1}; retry in ${Math.round(delay)} ms`);
		// The pause that the service has asked for holds all requests of the key, this one among them.
		if (pause === undefined) await wait(delay, () => queue.isClosed);
	}
}
