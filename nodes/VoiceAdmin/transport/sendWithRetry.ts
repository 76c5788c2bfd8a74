import { admit } from './admit';
import type { Failure } from './failure';
import { wait } from '../time';
import { classify, type Outcome } from './http/classify';
import type { ApiResponse } from './http/response';
import { PendingRequest, type RequestContext } from './pendingRequest';
import type { ApiRequest } from './apiRequest';

/** A request's value, its failure, or that its run was stopped, with the outcome so far. */
export type RequestResult<Value> = { value: Value } | { failure: Failure } | { stopped: Outcome };

/**
 * Sends one request with a token and a permit of the key's limiter, and retries it as `RetryStrategy` says.
 * @param readValue returns undefined for a response that is not a success
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
			// An unexpected error stops the run too, before the permit goes to the next request.
			if (!permit.isReported && stopsOnFailure) run.stop();
			permit.release();
		}
	}
}
