import type { INodeExecutionData } from 'n8n-workflow';

import { joinSentences } from '../text';
import type { ApiRequest } from '../transport/apiRequest';
import { type Failure, withRequestDetails } from '../transport/failure';
import { isSafe, type Outcome, worstOutcome } from '../transport/response/classifyFailure';
import type { RecordOutcome } from '../transport/pendingRequest';
import type { RequestResult } from '../transport/sendWithRetry';
import { type Failed, type FailedItem, isFailed } from './checkedItem';

/** The items of a request's success, or why there are none. */
export type ItemsResult = RequestResult<INodeExecutionData[]>;

const NOT_SENT_AGAIN = 'The node did not send it again in this execution';

const MAY_BE_DONE = 'The request may have been carried out in an earlier try';

const INTERRUPTED = 'The execution ended before the service responded';

/** What later tries need of a request. */
type RecordedRequest = Pick<ApiRequest, 'method' | 'path' | 'fields' | 'label' | 'creates' | 'deduplicationKey'>;

/** A request and its result so far: `stopped`, with the outcome, until there is one. */
interface Entry {
	request: RecordedRequest;
	result: ItemsResult;
}

/** One of an item's requests; both are counted from 0. */
export interface ItemRequest {
	itemIndex: number;
	requestIndex: number;
	request: RecordedRequest;
}

/** What a node keeps in an execution: the requests of each of its runs, by item. Plain JSON, as n8n stores it. */
export interface NodeStore {
	runs?: Record<string, Record<number, Entry[]>>;
}

/**
 * The requests of a node run across its tries, by Retry On Fail or by n8n's Retry of a failed execution, which both run the
 * whole node again for all items. What was done gives its output again, and a create that may have been done its failure,
 * even if the item's expressions changed; anything else is sent again.
 */
export class RunHistory {
	constructor(
		private readonly store: NodeStore,
		private readonly run: string,
	) {}

	private get items(): Record<number, Entry[]> {
		return this.store.runs?.[this.run] ?? {};
	}

	private get requests(): Array<ItemRequest & Entry> {
		return requestsOf(this.items);
	}

	/** @param send records the request's outcome before it is sent and after each attempt, for an execution that ends meanwhile */
	async sendUnlessSettled(
		{ itemIndex, requestIndex, request }: Omit<ItemRequest, 'request'> & { request: ApiRequest },
		send: (recordOutcome: RecordOutcome) => Promise<ItemsResult>,
	): Promise<ItemsResult> {
		const items = ((this.store.runs ??= {})[this.run] ??= {});
		const entries = (items[itemIndex] ??= []);
		const earlier = entries[requestIndex];
		const settled = earlier && settledResultOf(earlier);
		if (settled) return settled;
		const { method, path, fields, label, creates, deduplicationKey } = request;
		const recorded = { method, path, fields, label, creates, deduplicationKey };
		const record = (result: ItemsResult) =>
			(entries[requestIndex] = { request: recorded, result: withWorstOutcome(request, result, earlier?.result) });
		record({ stopped: 'not_sent' });
		return record(await send((outcome) => void record({ stopped: outcome }))).result;
	}

	/**
	 * The results of an item whose expressions fail now, which doesn't undo what an earlier try did: what that settled, and
	 * for the rest the failure, with the worst outcome that it had.
	 */
	resultsOfFailedItem(itemIndex: number, failed: Failed): ItemsResult[] {
		const entries = this.items[itemIndex] ?? [];
		const settled = entries.map(settledResultOf).filter((result) => result !== undefined);
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
	withEarlierTries(failed: FailedItem): FailedItem {
		const last = this.resultsOfFailedItem(failed.itemIndex, failed).at(-1)!;
		// All of them have succeeded.
		const failure: Failure = isFailed(last) ? last.failure : { ...failed.failure, outcome: 'unknown' };
		return { ...failed, failure };
	}

	/** The requests that are not sent again, whatever the item's expressions give now. */
	get settledRequests(): ItemRequest[] {
		return this.requests.filter((each) => settledResultOf(each) !== undefined);
	}

	/** The first create that may have been done in an earlier try. If failures stop the run, no further try can succeed. */
	get unknownCreate(): FailedItem | undefined {
		for (const each of this.requests) {
			const result = settledResultOf(each);
			if (result && isFailed(result)) return { itemIndex: each.itemIndex, failure: result.failure };
		}
		return undefined;
	}

	/**
	 * What other runs of the node in this execution may have created, by `creationOf`: an error output that leads back to
	 * the node brings such an item again.
	 */
	get unknownElsewhere(): Map<string, Failure> {
		const others = Object.entries(this.store.runs ?? {}).filter(([run]) => run !== this.run);
		const unknown = new Map<string, Failure>();
		for (const each of others.flatMap(([, items]) => requestsOf(items))) {
			const result = settledResultOf(each);
			if (result && isFailed(result)) unknown.set(creationOf(each.request)!, result.failure);
		}
		return unknown;
	}

	/** Adds the run's other requests that were, or may have been, carried out: n8n shows no output of a failed run. */
	withOtherRequests({ itemIndex, failure }: FailedItem): Failure {
		const isOther = ({ request, ...each }: ItemRequest) =>
			each.itemIndex !== itemIndex || JSON.stringify(request.fields) !== JSON.stringify(failure.fields);
		return { ...failure, description: joinSentences([failure.description, this.describe(isOther)]) };
	}

	/** What was done, as ranges of items, and what may have been done: one line each; '' for nothing. */
	describe(isOther: (request: ItemRequest) => boolean = () => true): string {
		const changes = this.requests.filter(({ request }) => !isSafe(request));
		const unknown = changes.filter((each) => outcomeOf(each.result) === 'unknown' && isOther(each));
		const names = unknown.map(({ request, itemIndex }) => `${nameOf(request)} (item ${itemIndex})`);
		const done = this.describeDone();
		const [created, mayBeCreated] =
			changes[0]?.request.creates === undefined ? ['Done', 'May have been done'] : ['Created', 'May have been created'];
		return joinSentences([
			done === '' ? '' : `${created} before the run stopped, counted from 0: ${done}`,
			names.length === 0 ? '' : `${mayBeCreated} before the run stopped: ${names.join('; ')}`,
		]);
	}

	/** "items 0 to 599, 601"; of an item of which only some requests were done, which. */
	private describeDone(): string {
		const ranges: Array<[from: number, to: number]> = [];
		const parts: string[] = [];
		for (const [key, entries] of Object.entries(this.items)) {
			const itemIndex = Number(key);
			const done = entries.filter(({ request, result }) => !isSafe(request) && outcomeOf(result) === 'done');
			const last = ranges.at(-1);
			if (done.length < entries.length) {
				if (done.length > 0) parts.push(`of item ${key}, ${done.map(({ request }) => nameOf(request)).join('; ')}`);
			} else if (last?.[1] === itemIndex - 1) last[1] = itemIndex;
			else ranges.push([itemIndex, itemIndex]);
		}
		const texts = ranges.map(([from, to]) => (from === to ? from : `${from} to ${to}`));
		return [...(texts.length > 0 ? [`items ${texts.join(', ')}`] : []), ...parts].join('; ');
	}

	/** Keeps what later runs may not create again, and nothing of a run that succeeded. */
	forgetSettled(): void {
		const { runs } = this.store;
		if (!runs) return;
		const isUnknown = (entries: Entry[]) => entries.some((each) => isFailed(settledResultOf(each) ?? {}));
		const unknown = Object.entries(this.items).filter(([, entries]) => isUnknown(entries));
		if (unknown.length > 0) runs[this.run] = Object.fromEntries(unknown);
		else delete runs[this.run];
		if (Object.keys(runs).length === 0) delete this.store.runs;
	}
}

function requestsOf(items: Record<number, Entry[]>): Array<ItemRequest & Entry> {
	return Object.entries(items).flatMap(([itemIndex, entries]) =>
		entries.map((entry, requestIndex) => ({ ...entry, itemIndex: Number(itemIndex), requestIndex })),
	);
}

/** Identifies what a request creates; undefined if it creates nothing. */
export function creationOf({ creates, deduplicationKey, path, fields }: RecordedRequest): string | undefined {
	return creates === undefined ? undefined : (deduplicationKey ?? JSON.stringify([path, fields]));
}

function nameOf({ creates, label, method, path }: RecordedRequest): string {
	return creates ?? label ?? `${method} ${path}`;
}

/** Keeps the worst outcome across tries. */
function withWorstOutcome(
	request: Pick<ApiRequest, 'method' | 'creates'>,
	result: ItemsResult,
	earlier?: ItemsResult,
): ItemsResult {
	const earlierOutcome = earlier && outcomeOf(earlier);
	if (earlierOutcome === undefined || earlierOutcome === 'done' || 'value' in result) return result;
	if ('stopped' in result) return { stopped: worstOutcome(result.stopped, earlierOutcome) };
	const { failure } = result;
	const outcome = worstOutcome(failure.outcome, earlierOutcome);
	const mayBeDone = outcome !== failure.outcome && outcome === 'unknown' && !isSafe(request);
	const description = mayBeDone ? joinSentences([failure.description, MAY_BE_DONE]) : failure.description;
	return { failure: { ...failure, outcome, description } };
}

/** @returns undefined if the request may be sent again */
function settledResultOf({ request, result }: Entry): ItemsResult | undefined {
	const outcome = outcomeOf(result);
	if (outcome === 'done') return result;
	if (request.creates === undefined || outcome !== 'unknown') return undefined;
	const failure = isFailed(result) ? result.failure : interruptedFailure(request);
	return { failure: { ...failure, description: joinSentences([failure.description, NOT_SENT_AGAIN]) } };
}

function interruptedFailure(request: RecordedRequest): Failure {
	const failure: Failure = { message: INTERRUPTED, description: '', code: 'connection_failed', outcome: 'unknown' };
	return withRequestDetails(request, failure);
}

function outcomeOf(result: ItemsResult): Outcome | 'done' {
	if ('value' in result) return 'done';
	return 'stopped' in result ? result.stopped : result.failure.outcome;
}
