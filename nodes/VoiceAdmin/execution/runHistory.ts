import type { INodeExecutionData } from 'n8n-workflow';

import { type Failure, joinSentences } from '../transport/failure';
import { isSafe, type Outcome, worstOutcome } from '../transport/http/classify';
import type { ApiRequest } from '../transport/apiRequest';
import type { RequestResult } from '../transport/sendWithRetry';

type Result = RequestResult<INodeExecutionData[]>;

const NOT_SENT_AGAIN = 'The node did not send it again under Retry On Fail';

/** How many requests that were done an error names; of those that may have been, a person needs all. */
const MAX_NAMED = 10;

/** A request and its result in the last attempt: n8n begins another one when all requests of the last have ended. */
interface Entry {
	request: ApiRequest;
	result: Result;
}

/** The requests of a node run in all its attempts: those of each item, in their order. */
export type RunHistory = Map<number, Entry[]>;

const histories = new WeakMap<object, RunHistory>();

/** The history of a node run, or of a tool call. @param key an object that all its Retry On Fail attempts have in common */
export function historyOf(key: object): RunHistory {
	const history = histories.get(key) ?? (new Map() as RunHistory);
	histories.set(key, history);
	return history;
}

/**
 * Sends an item's request, unless an earlier attempt has settled it: under Retry On Fail n8n runs the whole node again for
 * all its items. What succeeded gives its output again, and a create whose outcome is unknown its failure, whatever the
 * item's expressions give now; anything else is sent again.
 * @param requestIndex of the request among those of its item
 */
export async function sendUnlessSettled(
	history: RunHistory,
	itemIndex: number,
	requestIndex: number,
	request: ApiRequest,
	send: () => Promise<Result>,
): Promise<Result> {
	const entries = history.get(itemIndex) ?? [];
	history.set(itemIndex, entries);
	const previous = entries[requestIndex];
	const settled = previous && settledResultOf(previous);
	if (settled) return settled;
	const result = withWorstOutcome(await send(), previous?.result);
	entries[requestIndex] = { request, result };
	return result;
}

/** What an earlier attempt has sent was sent, whatever becomes of it now. */
function withWorstOutcome(result: Result, earlier?: Result): Result {
	const earlierOutcome = earlier ? outcomeOf(earlier) : 'done';
	if (earlierOutcome === 'done' || 'value' in result) return result;
	if ('stopped' in result) return { stopped: worstOutcome(result.stopped, earlierOutcome) };
	return { failure: { ...result.failure, outcome: worstOutcome(result.failure.outcome, earlierOutcome) } };
}

/** What earlier attempts have settled of an item: what succeeded, and creates whose outcome is unknown. */
export function settledResults(history: RunHistory, itemIndex: number): Result[] {
	return (history.get(itemIndex) ?? []).map(settledResultOf).filter((result) => result !== undefined);
}

/** The first create whose outcome is unknown since an earlier attempt. Where a failure stops the run, no attempt can mend it. */
export function findUnknownCreate(history: RunHistory): { item: number; failure: Failure } | undefined {
	for (const item of history.keys()) {
		const unknown = settledResults(history, item).find((result) => 'failure' in result);
		if (unknown) return { item, failure: unknown.failure };
	}
	return undefined;
}

/** The failure that stops a run, with what was done, or may have been, of its other requests: n8n shows no output of theirs. */
export function withHistory(failure: Failure, history: RunHistory): Failure {
	const entries = [...history.values()].flat().filter(({ request }) => !isSafe(request));
	const done = entries.filter(({ result }) => outcomeOf(result) === 'done');
	const unknown = entries.filter(({ request, result }) => request.fields !== failure.fields && outcomeOf(result) === 'unknown');
	const lines = [describeEntries(['Created', 'Done'], done, MAX_NAMED), describeEntries(['May have been created', 'May have been done'], unknown)];
	return { ...failure, description: joinSentences([failure.description, ...lines]) };
}

function describeEntries([created, other]: [string, string], entries: Entry[], max = Infinity): string {
	const [first] = entries;
	if (!first) return '';
	const names = entries.slice(0, max).map(({ request: { creates, label, method, path } }) => creates ?? label ?? `${method} ${path}`);
	const more = entries.length > max ? ` and ${entries.length - max} more` : '';
	return `${first.request.creates === undefined ? other : created} before the run stopped: ${names.join('; ')}${more}`;
}

/** @returns undefined where the request may be sent again */
function settledResultOf({ request, result }: Entry): Result | undefined {
	if (outcomeOf(result) === 'done') return result;
	if (request.creates === undefined || outcomeOf(result) !== 'unknown' || !('failure' in result)) return undefined;
	return { failure: { ...result.failure, description: joinSentences([result.failure.description, NOT_SENT_AGAIN]) } };
}

function outcomeOf(result: Result): Outcome | 'done' {
	if ('value' in result) return 'done';
	return 'stopped' in result ? result.stopped : result.failure.outcome;
}
