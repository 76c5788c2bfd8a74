import { type Admission, admit } from './admit';
import type { Failure } from './failure';
import { classifyFailure, type Outcome } from './response/classifyFailure';
import type { ApiResponse } from './response/readResponse';
import { PendingRequest, type RecordOutcome, type RequestSettings } from './pendingRequest';
import type { FailedAttempt, WaitForRetry } from './retryStrategy';
import type { ApiRequest } from './apiRequest';

/** A request's value, its failure, or that its run was stopped, with the outcome so far. */
export type RequestResult<Value> = { value: Value } | { failure: Failure } | { stopped: Outcome };

/** Returns undefined for a response that is not a success. */
type ReadValue<Value> = (response: ApiResponse) => Value | undefined;

type Attempt<Value> = { value: Value } | { failed: FailedAttempt; waitForRetry?: WaitForRetry };

/**
 * Sends one request with a token and a permit of the key's limiter, and retries it as `RetryStrategy` says.
 * @param recordOutcome called before each attempt and after it
 * @throws only an unexpected error, as from `readValue`
 */
export async function sendWithRetry<Value>(
	settings: RequestSettings,
	request: ApiRequest,
	readValue: ReadValue<Value>,
	recordOutcome?: RecordOutcome,
): Promise<RequestResult<Value>> {
	const { run } = settings;
	const pending = new PendingRequest(settings, request, recordOutcome);
	const fail = (last: FailedAttempt) => {
		run.recordFailure();
		return { failure: pending.failureAfter(last) };
	};
	for (;;) {
		const admission = await admit(pending);
		if (!('permit' in admission)) return run.isStopped ? { stopped: pending.outcome } : fail(admission);
		const attempt = await attemptOnce(pending, admission, readValue);
		if ('value' in attempt) return attempt;
		if (!(await attempt.waitForRetry?.())) return fail(attempt.failed);
	}
}

async function attemptOnce<Value>(
	pending: PendingRequest,
	{ token, permit }: Admission,
	readValue: ReadValue<Value>,
): Promise<Attempt<Value>> {
	let mayContinue = false;
	try {
		const { result, use } = await pending.send(token);
		const value = 'response' in result ? readValue(result.response) : undefined;
		if (value !== undefined) {
			permit.report('healthy');
			mayContinue = true;
			return { value };
		}
		const failed = { result, classification: classifyFailure(pending.request, result) };
		const waitForRetry = pending.planRetry(failed, use, permit);
		mayContinue = waitForRetry !== undefined;
		return { failed, waitForRetry };
	} finally {
		// Before the permit goes to the next request. An unexpected error stops the run, too.
		if (!mayContinue) pending.settings.run.recordFailure();
		permit.release();
	}
}
