import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteData, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { RunLimit } from '../transport/flow/runLimit';
import type { RequestResult } from '../transport/sendWithRetry';
import { ItemCredentials } from './itemCredential';
import type { Shortcuts } from './itemParameters';

/** How n8n hands the items of a node run to the hooks. */
interface BatchSettings {
	/** Number of items; 0 where it is not known. */
	items: number;
	/** Items that are handed over in one go; Infinity without batching. */
	batchSize: number;
	/** Whether n8n runs the whole node again after a failure: Retry On Fail. */
	retryOnFail: boolean;
}

/** What became of the creates of a node run, by item and by what is created, from the moment they are sent. */
type Creates = Map<string, Promise<RequestResult<INodeExecutionData[]>>>;

/** State that all items of one attempt at a node run share; Retry On Fail makes several attempts. */
export class NodeRun {
	readonly credentials = new ItemCredentials();

	/** How the items' parameters are read. */
	readonly shortcuts: Shortcuts = new Map();

	/** Index of the last item that n8n has handed over; -1 for none. */
	lastItem = -1;

	private limit?: RunLimit;

	isAborted = false;

	private laterItems?: Promise<boolean>;

	/** @param creates what became of the creates of all attempts */
	constructor(
		private readonly batches: BatchSettings,
		readonly creates: Creates,
	) {}

	/** Whether n8n may hand over the same items again, in another attempt. */
	get mayBeRepeated(): boolean {
		return this.batches.retryOnFail;
	}

	/** The limit of the run's requests. @param maxConcurrency the first item's value applies to all */
	limitFor(maxConcurrency: number): RunLimit {
		this.limit ??= new RunLimit(maxConcurrency);
		if (this.isAborted) this.limit.close();
		return this.limit;
	}

	/**
	 * Stops the run: nothing that waits, for a permit or for a retry, is sent any more. Called when the execution is
	 * cancelled, and by the first failure of a node that stops on error.
	 */
	abort(): void {
		this.isAborted = true;
		this.limit?.close();
	}

	/**
	 * Whether n8n has handed over all items of the batch that this one belongs to. When it has not, after the call in
	 * which it does, the expression of an item has failed: n8n has aborted the run.
	 */
	isBatchComplete(item: number): boolean {
		const { items, batchSize } = this.batches;
		const endOfBatch = (Math.floor(item / batchSize) + 1) * batchSize;
		return this.lastItem >= Math.min(items, endOfBatch) - 1;
	}

	/**
	 * Asks once, for a run in batches, whether n8n will hand over all its items.
	 *
	 * @param canRead whether n8n can evaluate the parameters of so many items
	 */
	async canReadLaterItems(canRead: (items: number) => Promise<boolean>): Promise<boolean> {
		const { items, batchSize } = this.batches;
		if (items <= batchSize) return true;
		this.laterItems ??= canRead(items);
		return await this.laterItems;
	}
}

/**
 * Runs by n8n's execute data: that object is the same for all items of a node run and for every Retry On Fail attempt
 * of it (n8n 2.8 to 2.41), and gone when the execution is. The run of a tool that an agent calls itself, by the
 * arguments of the call, of which the same is true.
 */
const runs = new WeakMap<object, NodeRun>();

/**
 * The run that an item belongs to. Item indices rise within an attempt and start again in the next one, which tells
 * attempts apart.
 */
export function nodeRunOf(context: IExecutePaginationFunctions): NodeRun {
	const data = context.getExecuteData();
	const item = context.getItemIndex();
	// What is known is this node's own: looked up first, as `getNode` copies the node at every call.
	const known = data && runs.get(data);
	const key = known ? data : (ownExecuteData(context) ?? toolCall(context));
	let run = known ?? runs.get(key);
	if (!run || item <= run.lastItem) {
		// What is left of the attempt before is not to be sent beside the new one.
		run?.abort();
		const next = new NodeRun(batchSettingsOf(context), run?.creates ?? new Map());
		const cancelled = context.getExecutionCancelSignal();
		// n8n starts the next Retry On Fail attempt even of an execution that was cancelled.
		if (cancelled?.aborted) next.abort();
		cancelled?.addEventListener('abort', () => next.abort(), { once: true });
		runs.set(key, (run = next));
	}
	run.lastItem = item;
	return run;
}

/** n8n's data of this node's run; undefined for a tool, which is given those of the agent that calls it. */
function ownExecuteData(context: IExecutePaginationFunctions): IExecuteData | undefined {
	const data = context.getExecuteData();
	return data?.node?.name === context.getNode().name ? data : undefined;
}

/**
 * The arguments with which an agent before version 3, which runs its tools itself, calls this one: an object of its own
 * for each call, and the same for every Retry On Fail attempt at it.
 */
function toolCall(context: IExecutePaginationFunctions): object {
	return context.getInputData(0, NodeConnectionTypes.AiTool).json;
}

function batchSettingsOf(context: IExecutePaginationFunctions): BatchSettings {
	const given = ownExecuteData(context)?.data?.main?.[0]?.length ?? 0;
	const { batching } = context.getNodeParameter('requestOptions', {}) as {
		batching?: { batch?: { batchSize?: number; batchInterval?: number } };
	};
	const { batchSize = 0, batchInterval = 0 } = batching?.batch ?? {};
	const { executeOnce, retryOnFail = false } = context.getNode();
	return {
		items: executeOnce ? Math.min(1, given) : given,
		// As n8n's routing executor reads the two.
		batchSize: batchInterval > 0 ? (batchSize > 0 ? batchSize : 1) : Infinity,
		retryOnFail,
	};
}
