import { failureOfError, withRequestDetails } from '../transport/failure';
import type { Run } from '../transport/flow/run';
import { eventLoopYielder } from '../time';
import type { ApiRequest } from '../transport/apiRequest';
import type { N8nContext } from '../transport/sendRequest';
import type { RecordOutcome } from '../transport/pendingRequest';
import { sendWithRetry } from '../transport/sendWithRetry';
import { type CheckedItem, isFailed, type ValidItem } from './checkedItem';
import type { CredentialContext, CredentialReader } from './itemCredential';
import { dryRunItem, outputItems } from './outputItems';
import type { ItemsResult, RunHistory } from './runHistory';

export type RunContext = N8nContext & CredentialContext & { continueOnFail: () => boolean };

/** Whatever Max Concurrency is, a probe can choose among so many items: the first ones of a list may fail through their own fault. */
const MIN_ACTIVE_ITEMS = 5;

/** What all items of a run are sent with. */
interface SendContext {
	context: RunContext;
	credentialOf: CredentialReader;
	run: Run;
	history: RunHistory;
}

/**
 * Sends the items' requests. A cancel stops what has not been sent; so does the first failure, unless On Error is set to
 * continue. @returns the results of each item's requests
 */
export async function sendItems(sending: SendContext, items: CheckedItem[]): Promise<ItemsResult[][]> {
	const { context, run } = sending;
	const results: ItemsResult[][] = items.map(() => []);
	const yieldIfDue = eventLoopYielder();
	const remaining = items.entries();
	const sendRemaining = async () => {
		for (const [itemIndex, item] of remaining) {
			await yieldIfDue();
			if (run.isStopped) return;
			results[itemIndex] = await sendItem(sending, item, itemIndex);
		}
	};
	const canceled = context.getExecutionCancelSignal?.();
	const stop = () => run.stop();
	canceled?.addEventListener('abort', stop);
	if (canceled?.aborted) stop();
	try {
		// One more than may be in flight, so that one is always ready, without holding 10,000 in memory.
		const active = Math.max(run.maxConcurrency + 1, MIN_ACTIVE_ITEMS);
		await Promise.all(Array.from({ length: Math.min(items.length, active) }, sendRemaining));
		return results;
	} finally {
		canceled?.removeEventListener('abort', stop);
	}
}

async function sendItem(sending: SendContext, item: CheckedItem, itemIndex: number): Promise<ItemsResult[]> {
	const { history } = sending;
	if (isFailed(item)) return history.resultsOfFailedItem(itemIndex, item);
	const resultOf = async (request: ApiRequest, requestIndex: number) => {
		const send = async (recordOutcome: RecordOutcome = () => {}) =>
			await sendOrPreview(sending, request, item, itemIndex, recordOutcome);
		return item.options.dryRun
			? await send()
			: await history.sendUnlessSettled({ itemIndex, requestIndex, request }, send);
	};
	return await Promise.all(item.requests.map(resultOf));
}

/** Sends an item's request or, in a dry run, outputs it. */
async function sendOrPreview(
	{ context, credentialOf, run }: SendContext,
	request: ApiRequest,
	item: ValidItem,
	itemIndex: number,
	recordOutcome: RecordOutcome,
): Promise<ItemsResult> {
	const { dryRun, maxRetries, timeout } = item.options;
	let mayBeSent = false;
	try {
		const credential = await credentialOf(itemIndex);
		if (dryRun) return { value: [dryRunItem(request, credential, itemIndex)] };
		// After an unexpected error from here on, it may have been sent.
		mayBeSent = true;
		const settings = { n8n: context, credential, run, maxRetries, timeoutMs: timeout * 1_000 };
		return await sendWithRetry(
			settings,
			request,
			(response) => outputItems(response, request, itemIndex),
			recordOutcome,
		);
	} catch (error) {
		run.recordFailure();
		const failure = mayBeSent
			? failureOfError(error, 'invalid_response', 'unknown')
			: failureOfError(error, 'invalid_credential');
		return { failure: withRequestDetails(request, failure) };
	}
}
