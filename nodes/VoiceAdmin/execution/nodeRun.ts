import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteData, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { asVoiceAdminCredential, CREDENTIAL_TYPE, type VoiceAdminCredential } from '../transport/auth/credential';
import { checkTokenHeader } from '../transport/auth/tokenHeader';
import type { Shortcuts } from './itemParameters';
import type { Outcome } from '../transport/outcome';
import { Pace } from '../transport/flow/concurrencyLimiter';
import type { Requester } from '../transport/requester';
import { type Session, sessionOf } from '../transport/auth/tokenManager';
import { variesByItem } from './credentialByItem';

/** The credential of a run, and the session that all runs with the same key share. */
export interface SignedIn {
	credential: VoiceAdminCredential;
	session: Session;
}

/** How n8n hands the items of a node run over to the node. */
interface Handover {
	/** Number of items; 0 where it cannot be told. */
	items: number;
	/** Items that are handed over in one go; Infinity without batching. */
	batchSize: number;
	/** Whether n8n runs the whole node again after a failure: Retry On Fail. */
	retryOnFail: boolean;
}

const NOTHING_HANDED_OVER: Handover = { items: 0, batchSize: Infinity, retryOnFail: false };

/** State that all items of one attempt at a node run share. */
export class Attempt {
	private pacing?: Pace;

	/** What the first who asked was told, which holds for all where the credential does not vary by item. */
	private signedIn?: Promise<SignedIn>;

	private varies?: Promise<boolean>;

	/** What each was told who has asked for itself. */
	private readonly own = new WeakMap<Requester, Promise<SignedIn>>();

	private laterItems?: Promise<boolean>;

	private stopped = false;

	/** Index of the last item that n8n has handed over; -1 for none. */
	lastItem = -1;

	/** How the items' parameters are read. */
	readonly shortcuts: Shortcuts = new Map();

	/** @param handover how n8n hands over the items of this attempt; a poll is given none */
	constructor(private readonly handover: Handover = NOTHING_HANDED_OVER) {}

	/** Whether n8n may hand over the same items again, in another attempt. */
	get mayBeRepeated(): boolean {
		return this.handover.retryOnFail;
	}

	/**
	 * Whether n8n has handed over all items that it hands over together with this one. When it has
	 * not, after the call in which it does, the expression of an item has failed: n8n has given up the
	 * node, and nothing of the run is to be sent.
	 */
	hasEntered(item: number): boolean {
		const { items, batchSize } = this.handover;
		const endOfBatch = (Math.floor(item / batchSize) + 1) * batchSize;
		return this.lastItem >= Math.min(items, endOfBatch) - 1;
	}

	/** The run's pace; the first item to be sent says how many requests may be in flight. */
	pace(maxConcurrency: number): Pace {
		this.pacing ??= new Pace(maxConcurrency);
		if (this.stopped) this.pacing.close();
		return this.pacing;
	}

	/**
	 * Asks once, for a run that n8n hands over in batches, whether it will hand over all its items.
	 *
	 * @param canRead whether n8n can evaluate the parameters of so many items
	 */
	async canReadLaterItems(canRead: (items: number) => Promise<boolean>): Promise<boolean> {
		const { items, batchSize } = this.handover;
		if (items <= batchSize) return true;
		this.laterItems ??= canRead(items);
		return await this.laterItems;
	}

	/**
	 * The credential of an item. It is read once for all, as n8n would read and decrypt it for every request; but for
	 * each item where each may have another key.
	 */
	async signIn(requester: Requester): Promise<SignedIn> {
		const known = this.own.get(requester);
		if (known) return await known;
		if (!this.signedIn) return await (this.signedIn = this.remember(requester));
		this.varies ??= variesByItem(requester);
		return await ((await this.varies) ? (this.own.get(requester) ?? this.remember(requester)) : this.signedIn);
	}

	private remember(requester: Requester): Promise<SignedIn> {
		const signedIn = readCredential(requester);
		this.own.set(requester, signedIn);
		return signedIn;
	}

	/**
	 * Ends the attempt: nothing that waits, for a place or for a retry, is sent any more. Called when
	 * the execution is cancelled, and by the first failure of a node that stops on error.
	 */
	stop(): void {
		this.stopped = true;
		this.pacing?.close();
	}

	get isStopped(): boolean {
		return this.stopped;
	}
}

async function readCredential(requester: Requester): Promise<SignedIn> {
	const credential = asVoiceAdminCredential(await requester.getCredentials(CREDENTIAL_TYPE));
	checkTokenHeader(credential);
	return { credential, session: sessionOf(credential) };
}

/**
 * What became of the creates of a run, by item and by what is created, from the moment they are sent:
 * so that a Retry On Fail attempt does not send again what succeeded, is still under way or is in doubt.
 */
export type Created = Map<string, Promise<Outcome<INodeExecutionData[]>>>;

interface Run {
	attempt: Attempt;
	created: Created;
}

/**
 * Runs by n8n's execute data: that object is the same for all items of a node run and for every
 * Retry On Fail attempt of it (n8n 2.8 and 2.40), and gone when the execution is. The run of a tool that an
 * agent calls itself, by the arguments of the call, of which the same is true.
 */
const runs = new WeakMap<object, Run>();

/**
 * The state that an item shares with the others of its run.
 *
 * Item indices rise within an attempt and start again in the next one, which tells attempts apart.
 */
export function runOf(context: IExecutePaginationFunctions): Run {
	const data = context.getExecuteData();
	const item = context.getItemIndex();
	// What is known is this node's own: looked up first, as `getNode` copies the node at every call.
	const known = data && runs.get(data);
	const key = known ? data : (ownExecuteData(context) ?? toolCall(context));
	let run = known ?? runs.get(key);
	if (!run || item <= run.attempt.lastItem) {
		// What is left of the attempt before, which n8n has given up, is not to be sent beside the new one.
		run?.attempt.stop();
		const attempt = new Attempt(handoverOf(context));
		const cancelled = context.getExecutionCancelSignal();
		// n8n starts the next Retry On Fail attempt even of an execution that was cancelled.
		if (cancelled?.aborted) attempt.stop();
		cancelled?.addEventListener('abort', () => attempt.stop(), { once: true });
		run = { attempt, created: run?.created ?? new Map() };
		runs.set(key, run);
	}
	run.attempt.lastItem = item;
	return run;
}

/** n8n's data of this node's run; undefined for a tool, which is given those of the agent that calls it. */
function ownExecuteData(context: IExecutePaginationFunctions): IExecuteData | undefined {
	const data = context.getExecuteData();
	return data?.node?.name === context.getNode().name ? data : undefined;
}

/**
 * The arguments with which an agent before version 3, which runs its tools itself, calls this one: an object of
 * its own for each call, and the same for every Retry On Fail attempt at it.
 */
function toolCall(context: IExecutePaginationFunctions): object {
	return context.getInputData(0, NodeConnectionTypes.AiTool).json;
}

function handoverOf(context: IExecutePaginationFunctions): Handover {
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
