import { joinSentences } from '../../text';
import type { ApiRequest } from '../../transport/apiRequest';
import type { Failure } from '../../transport/failure';
import type { RecordOutcome } from '../../transport/sendWithRetry';
import { isSafe } from '../../transport/response/classifyFailure';
import { type FailedItem, isFailed } from '../checkedItem';
import { describeEntries } from './describeEntries';
import {
	type Entry,
	identityOf,
	type ItemsResult,
	nameOf,
	otherRequestFailure,
	outcomeOf,
	type RecordedRequest,
	recordedRequest,
	settledResultOf,
	withWorstOutcome,
} from './entry';

/** A create that may have been done. */
interface Doubt {
	request: RecordedRequest;
	failure: Failure;
}

/** What a node keeps of its last run in an execution. Plain JSON, as n8n stores it. */
export interface RunStore {
	run?: string;
	/** By item; an entry for each of its requests that change something. */
	items?: Record<number, Entry[]>;
}

/** What all nodes of the package keep in an execution. */
export interface ExecutionStore {
	voiceAdmin?: Doubt[];
}

/**
 * The changes of a node run across its tries, by Retry On Fail or by n8n's Retry of a failed execution, which both run the
 * whole node again for all items. A request that was done gives its output again, and a create that may have been done its
 * failure; anything else is sent again. What an execution may have created is sent again by none of its nodes.
 */
export class RunHistory {
	constructor(
		private readonly store: RunStore,
		private readonly execution: ExecutionStore,
		run: string,
	) {
		// A node's runs don't overlap.
		if (store.run !== run) Object.assign(store, { run, items: undefined });
	}

	private get items(): Record<number, Entry[]> {
		return (this.store.items ??= {});
	}

	/** @param send records the request's outcome before it is sent and after each attempt, for an execution that ends meanwhile */
	async sendUnlessSettled(
		itemIndex: number,
		requestIndex: number,
		request: ApiRequest,
		account: string,
		send: (recordOutcome: RecordOutcome) => Promise<ItemsResult>,
	): Promise<ItemsResult> {
		if (isSafe(request)) return await send(() => {});
		const recorded = recordedRequest(request, account);
		const entries = (this.items[itemIndex] ??= []);
		const earlier = entries[requestIndex];
		const isSame = earlier !== undefined && identityOf(earlier.request) === identityOf(recorded);
		const settled = isSame && settledResultOf(earlier);
		if (settled) return settled;
		const record = (result: ItemsResult) =>
			(entries[requestIndex] = {
				request: recorded,
				result: isSame ? withWorstOutcome(result, earlier.result) : result,
			});
		record({ stopped: 'not_sent' });
		return record(await send((outcome) => void record({ stopped: outcome }))).result;
	}

	/** A failure of an item whose parameters are not valid now, which doesn't undo what an earlier try did. */
	withEarlierTries(failed: FailedItem): FailedItem {
		const changes = (this.items[failed.itemIndex] ?? []).filter(({ result }) =>
			['done', 'unknown'].includes(outcomeOf(result)),
		);
		if (changes.length === 0) return failed;
		const { creates } = changes[0]!.request;
		const names = changes.map(({ request }) => nameOf(request)).join('; ');
		const description = joinSentences([
			failed.failure.description,
			`An earlier attempt has, or may have, sent: ${names}`,
		]);
		return { ...failed, failure: { ...failed.failure, outcome: 'unknown', description, creates, isChange: true } };
	}

	/** Items that failed in an earlier try, and whose requests are sent again. */
	get failedItems(): Set<number> {
		const failed = Object.entries(this.items).filter(([, entries]) =>
			entries.some((entry) => isFailed(entry.result) && settledResultOf(entry) === undefined),
		);
		return new Set(failed.map(([itemIndex]) => Number(itemIndex)));
	}

	/** Whether earlier tries or other nodes have left something. */
	get hasSettled(): boolean {
		return this.execution.voiceAdmin !== undefined || Object.keys(this.items).length > 0;
	}

	/** What earlier tries have created, or may have. */
	get settledCreates(): Array<{ itemIndex: number; request: RecordedRequest }> {
		return Object.entries(this.items).flatMap(([itemIndex, entries]) =>
			entries
				.filter((entry) => entry.request.creates !== undefined && settledResultOf(entry))
				.map(({ request }) => ({ itemIndex: Number(itemIndex), request })),
		);
	}

	/**
	 * Why a create is not sent: an earlier try of the item has created something else, or the execution may have created the
	 * same, in whatever run or node, as an error output may lead back to the node, and a model may call a tool again.
	 * @returns a function of an item's request; `isExact` if there may be another one with its key
	 */
	reasonsNotToSend(): (at: [number, number], now: RecordedRequest, isExact: boolean) => Failure | undefined {
		const { doubts } = this;
		const byIdentity = [false, true].map(
			(isExact) => new Map(doubts.map((doubt) => [identityOf(doubt.request, isExact), doubt.failure])),
		);
		return ([itemIndex, requestIndex], now, isExact) => {
			if (now.creates === undefined) return undefined;
			const earlier = this.items[itemIndex]?.[requestIndex];
			const isOther = earlier?.request.creates !== undefined && identityOf(earlier.request) !== identityOf(now);
			if (isOther && settledResultOf(earlier)) return otherRequestFailure(earlier, now);
			const failure = byIdentity[Number(isExact)]!.get(identityOf(now, isExact));
			return failure && { ...failure, fields: now.fields };
		};
	}

	/** Adds the run's other requests that were, or may have been, carried out: n8n shows no output of a failed run. */
	withOtherRequests({ itemIndex, failure }: FailedItem): Failure {
		const own = JSON.stringify(failure.fields);
		const isOther = (item: number, { request }: Entry) => item !== itemIndex || JSON.stringify(request.fields) !== own;
		return { ...failure, notes: joinSentences([failure.notes ?? '', this.describe(isOther)]) };
	}

	/** What was done, as ranges of items, and what may have been done; '' for nothing. */
	describe(isOther: (itemIndex: number, entry: Entry) => boolean = () => true): string {
		return describeEntries(this.items, isOther);
	}

	/** Ends a try. @param isOver whether none can follow; a run that succeeded leaves nothing then */
	end(isOver: boolean): void {
		const { doubts } = this;
		if (doubts.length > 0) this.execution.voiceAdmin = doubts;
		if (!isOver) return;
		delete this.store.run;
		delete this.store.items;
	}

	/** Of the execution: creates that may have been done, each once. */
	private get doubts(): Doubt[] {
		const all = [...(this.execution.voiceAdmin ?? []), ...doubtsIn(this.items)];
		return [...new Map(all.map((doubt) => [identityOf(doubt.request, true), doubt])).values()];
	}
}

function doubtsIn(items: Record<number, Entry[]>): Doubt[] {
	return Object.values(items)
		.flat()
		.flatMap((entry) => {
			const result = settledResultOf(entry);
			return result && isFailed(result) ? [{ request: entry.request, failure: result.failure }] : [];
		});
}
