import type { INodeExecutionData } from 'n8n-workflow';

import type { ApiRequest } from '../../transport/apiRequest';
import { type Failure, withRequestDetails } from '../../transport/failure';
import { type Outcome, worstOutcome } from '../../transport/response/classifyFailure';
import type { RequestResult } from '../../transport/sendWithRetry';
import { isFailed } from '../checkedItem';

/** The items of a request's success, or why there are none. */
export type ItemsResult = RequestResult<INodeExecutionData[]>;

const NOT_SENT_AGAIN = "This execution doesn't send it again: if it isn't there, start a new one with this item only";

/** What later tries need of a request. */
export interface RecordedRequest extends Pick<
	ApiRequest,
	'method' | 'path' | 'fields' | 'label' | 'creates' | 'deduplicationKey'
> {
	account: string;
}

/** @param account of the credential: what its service creates for it */
export function recordedRequest(request: ApiRequest, account: string): RecordedRequest {
	const { method, path, fields, label, creates, deduplicationKey } = request;
	return { method, path, fields, label, creates, deduplicationKey, account };
}

/** A request and its result; `stopped`, with the outcome that it has so far, until there is one. */
export interface Entry {
	request: RecordedRequest;
	result: ItemsResult;
}

/** What a request does: a create by what it creates, whatever its spelling, or exactly. */
export function identityOf(request: RecordedRequest, isExact = false): string {
	const { method, path, fields, deduplicationKey, account } = request;
	return JSON.stringify([account, method, path, isExact ? fields : (deduplicationKey ?? fields)]);
}

/** Keeps the worst outcome across tries. */
export function withWorstOutcome(result: ItemsResult, earlier: ItemsResult): ItemsResult {
	const earlierOutcome = outcomeOf(earlier);
	if ('value' in result) return earlierOutcome === 'unknown' ? { ...result, wasResent: true } : result;
	if (earlierOutcome === 'done') return result;
	if ('stopped' in result) return { stopped: worstOutcome(result.stopped, earlierOutcome) };
	const { failure } = result;
	return { failure: { ...failure, outcome: worstOutcome(failure.outcome, earlierOutcome) } };
}

/** @returns undefined if the request may be sent again */
export function settledResultOf({ request, result }: Entry): ItemsResult | undefined {
	const outcome = outcomeOf(result);
	if (outcome === 'done') return result;
	if (request.creates === undefined || outcome !== 'unknown') return undefined;
	const failure = isFailed(result) ? result.failure : interruptedFailure(request);
	return { failure: { ...failure, notes: NOT_SENT_AGAIN } };
}

function interruptedFailure(request: RecordedRequest): Failure {
	const message = 'The execution ended before the service responded';
	return withRequestDetails(request, { message, description: '', code: 'connection_failed', outcome: 'unknown' });
}

/** Why an item doesn't create something else than in an earlier try: nobody would expect two customers of one item. */
export function otherRequestFailure({ request, result }: Entry, now: RecordedRequest): Failure {
	const did = outcomeOf(result) === 'done' ? 'created' : 'may have created';
	const where = request.account === now.account ? '' : ' with another API key or at another address';
	const message = `An earlier attempt of this item ${did} the ${request.creates}${where}, and this one would create the ${now.creates}`;
	const description =
		"Look for the first one in your provider's records. If you want the second one, too, start a new execution with this item only, as it sends all its items again, created customers too";
	return withRequestDetails(now, { message, description, code: 'invalid_parameter', outcome: 'not_sent' });
}

/** What a request creates, or does. */
export function nameOf({ creates, label, method, path }: RecordedRequest): string {
	return creates ?? label ?? `${method} ${path}`;
}

export function outcomeOf(result: ItemsResult): Outcome | 'done' {
	if ('value' in result) return 'done';
	return 'stopped' in result ? result.stopped : result.failure.outcome;
}
