import type { INodeExecutionData } from 'n8n-workflow';

import { joinSentences } from '../text';
import type { Failure } from '../transport/failure';
import { isSafe, type Outcome, worstOutcome } from '../transport/response/classifyFailure';
import type { ApiRequest } from '../transport/apiRequest';
import type { RequestResult } from '../transport/sendWithRetry';
import { type Failed, type FailedItem, isFailed } from './checkedItem';

/** The items of a request's success, or why there are none. */
export type ItemsResult = RequestResult<INodeExecutionData[]>;

const NOT_SENT_AGAIN = 'The node did not send it again under Retry On Fail';

const MAY_BE_DONE = 'The request may have been carried out in an earlier try under Retry On Fail';

/** Maximum completed requests that an error names; unknown ones are all named. */
const MAX_NAMED = 10;

/** A request and its result in the last try. */
interface Entry {
	request: ApiRequest;
	result: ItemsResult;
}

/** One of an item's requests; both are counted from 0. */
export interface ItemRequest {
	itemIndex: number;
	requestIndex: number;
	request: ApiRequest;
}

/** The requests of a node run across its tries, by item. */
export type RunHistory = Map<number, Entry[]>;

const histories = new WeakMap<object, RunHistory>();

/** @param key an object that all Retry On Fail tries of the run share */
export function historyOf(key: object): RunHistory {
	const history = histories.get(key) ?? (new Map() as RunHistory);
	histories.set(key, history);
	return history;
}

/**
 * Sends an item's request unless an earlier try settled it: Retry On Fail runs the whole node again for all items. A success returns
 * its output again, a create with an unknown outcome its failure, even if the item's expressions changed; anything else is sent again.
 */
export async function sendUnlessSettled(
	history: RunHistory,
	{ itemIndex, requestIndex, request }: ItemRequest,
	send: () => Promise<ItemsResult>,
): Promise<ItemsResult> {
	const entries = history.get(itemIndex) ?? [];
	history.set(itemIndex, entries);
	const previous = entries[requestIndex];
	const settled = previous && settledResultOf(previous);
	if (settled) return settled;
	const result = withWorstOutcome(request, await send(), previous?.result);
	entries[requestIndex] = { request, result };
	return result;
}

/** Keeps the worst outcome across tries. */
function withWorstOutcome(request: ApiRequest, result: ItemsResult, earlier?: ItemsResult): ItemsResult {
	const earlierOutcome = earlier && outcomeOf(earlier);
	if (earlierOutcome === undefined || earlierOutcome === 'done' || 'value' in result) return result;
	if ('stopped' in result) return { stopped: worstOutcome(result.stopped, earlierOutcome) };
	const { failure } = result;
	const outcome = worstOutcome(failure.outcome, earlierOutcome);
	const mayBeDone = outcome !== failure.outcome && outcome === 'unknown' && !isSafe(request);
	const description = mayBeDone ? joinSentences([failure.description, MAY_BE_DONE]) : failure.description;
	return { failure: { ...failure, outcome, description } };
}

/**
 * The results of an item whose expressions fail now, which doesn't undo what an earlier try did: what that settled, and for the rest the
 * failure, with the worst outcome that it had.
 */
export function resultsOfFailedItem(history: RunHistory, itemIndex: number, failed: Failed): ItemsResult[] {
	const entries = history.get(itemIndex) ?? [];
	const settled = settledResults(entries);
	if (settled.length > 0 && settled.length === entries.length) return settled;
	const open = entries.filter((entry) => settledResultOf(entry) === undefined);
	return [
		...settled,
		open.reduce<ItemsResult>(
			(worst, { request, result: earlier }) => withWorstOutcome(request, worst, earlier),
			failed,
		),
	];
}

/** The failure of an item that is not valid now, with the worst outcome that its requests had in earlier tries. */
export function withEarlierTries(history: RunHistory, failed: FailedItem): FailedItem {
	const last = resultsOfFailedItem(history, failed.itemIndex, failed).at(-1)!;
	// All of them have succeeded.
	const failure: Failure = isFailed(last) ? last.failure : { ...failed.failure, outcome: 'unknown' };
	return { ...failed, failure };
}

/** The requests that are not sent again, whatever the item's expressions give now. */
export function settledRequests(history: RunHistory): ItemRequest[] {
	const all = [...history].flatMap(([itemIndex, entries]) =>
		entries.map((entry, requestIndex) => ({ ...entry, itemIndex, requestIndex })),
	);
	return all.filter((each) => settledResultOf(each) !== undefined);
}

/** An item's settled results: successes, and creates with an unknown outcome. */
function settledResults(entries: Entry[]): ItemsResult[] {
	return entries.map(settledResultOf).filter((result) => result !== undefined);
}

/** The first create with an unknown outcome of an earlier try. If failures stop the run, no further try can succeed. */
export function findUnknownCreate(history: RunHistory): FailedItem | undefined {
	for (const [itemIndex, entries] of history) {
		const unknown = settledResults(entries).find((result) => 'failure' in result);
		if (unknown) return { itemIndex, failure: unknown.failure };
	}
	return undefined;
}

/** Adds the run's other requests that were, or may have been, carried out: n8n shows no output of a failed run. */
export function withOtherRequests(failure: Failure, history: RunHistory): Failure {
	const entries = [...history.values()].flat().filter(({ request }) => !isSafe(request));
	const done = entries.filter(({ result }) => outcomeOf(result) === 'done');
	const unknown = entries.filter(
		({ request, result }) => request.fields !== failure.fields && outcomeOf(result) === 'unknown',
	);
	const lines = [
		describeEntries(['Created', 'Done'], done, MAX_NAMED),
		describeEntries(['May have been created', 'May have been done'], unknown),
	];
	return { ...failure, description: joinSentences([failure.description, ...lines]) };
}

function describeEntries([created, other]: [string, string], entries: Entry[], max = Infinity): string {
	const [first] = entries;
	if (!first) return '';
	const names = entries
		.slice(0, max)
		.map(({ request: { creates, label, method, path } }) => creates ?? label ?? `${method} ${path}`);
	const more = entries.length > max ? ` and ${entries.length - max} more` : '';
	return `${first.request.creates === undefined ? other : created} before the run stopped: ${names.join('; ')}${more}`;
}

/** @returns undefined if the request may be sent again */
function settledResultOf({ request, result }: Entry): ItemsResult | undefined {
	if (outcomeOf(result) === 'done') return result;
	if (request.creates === undefined || outcomeOf(result) !== 'unknown' || !('failure' in result)) return undefined;
	return { failure: { ...result.failure, description: joinSentences([result.failure.description, NOT_SENT_AGAIN]) } };
}

function outcomeOf(result: ItemsResult): Outcome | 'done' {
	if ('value' in result) return 'done';
	return 'stopped' in result ? result.stopped : result.failure.outcome;
}
