import { admit } from './admit';
import type { Failure } from './failure';
import { wait } from '../time';
import { classify, type Outcome } from './http/classify';
import type { ApiResponse } from './http/response';
import { PendingRequest, type RequestContext } from './pendingRequest';
import type { ApiRequest } from './apiRequest';

/** What became of a request: what was read from a good response, why it failed, or that its run was stopped, and what it had done by then. */
export type RequestResult<Value> = { value: Value } | { failure: Failure } | { stopped: Outcome };

/**
 * Sends one request: waits for a token and a permit of the key's limiter, and sends it again as `RetryStrategy` says.
 *
 * @param readValue gives the value of a good response; undefined for any other response
 */
export async function sendWithRetry<Value>(
	context: RequestContext,
	request: ApiRequest,
	readValue: (response: ApiResponse) => Value | undefined,
): Promise<RequestResult<Value>> {
	const { run, stopsOnFailure } = context;
	const pending = new PendingRequest(context, request);
	for (;;) {
		const admission = await admit(pending);
		if ('result' in admission) {
			if (run.isStopped) return { stopped: pending.outcome };
			if (stopsOnFailure) run.stop();
			return { failure: pending.failureAfter(admission) };
		}
		const permit = admission;
		try {
			const result = await pending.send();
			const value = 'response' in result ? readValue(result.response) : undefined;
			if (value !== undefined) {
				permit.release('success');
				return { value };
			}
			const attempt = { result, classification: classify(request, result) };
			if (await pending.waitForTokenRetry(attempt, permit)) continue;
			const delay = pending.recordFailure(attempt, permit);
			if (delay === undefined) return { failure: pending.failureAfter(attempt) };
			await wait(delay, () => run.isStopped);
		} finally {
			// What nobody foresaw stops a run too, before the permit goes to the next in the queue.
			if (!permit.isReported && stopsOnFailure) run.stop();
			permit.release();
		}
	}
}
