import type { IExecuteFunctions } from 'n8n-workflow';

import { failureOfError, withRequestDetails } from '../transport/failure';
import type { Run } from '../transport/flow/run';
import { eventLoopYielder } from '../time';
import type { ApiRequest } from '../transport/apiRequest';
import type { VoiceAdminCredential } from '../transport/auth/credential';
import type { ApiResponse } from '../transport/response/readResponse';
import { sendWithRetry } from '../transport/sendWithRetry';
import { type CheckedItem, isFailed } from './checkedItem';
import type { CredentialReader } from './itemCredential';
import { dryRunItem, outputItems } from './outputItems';
import type { ItemsResult } from './history/entry';
import type { RunHistory } from './history/runHistory';

/** Whatever Max Concurrency is, a probe can choose among so many items: a row of them may always fail, as those of a broken server. */
const MIN_ACTIVE_ITEMS = 500;

/** What all items of a run are sent with. */
interface SendContext {
	context: IExecuteFunctions;
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
	const sendAll = async (remaining: IterableIterator<[number, CheckedItem]>) => {
		for (const [itemIndex, item] of remaining) {
			await yieldIfDue();
			if (run.isStopped) return;
			results[itemIndex] = await sendItem(sending, item, itemIndex);
		}
	};
	// If they fail again, and so stop the run, it has done nothing more: a person may retry the same execution again.
	const { failedItems } = sending.history;
	const failedBefore = [...items.entries()].filter(([itemIndex]) => failedItems.has(itemIndex));
	const others = [...items.entries()].filter(([itemIndex]) => !failedItems.has(itemIndex));
	const canceled = context.getExecutionCancelSignal?.();
	const stop = () => run.stop();
	canceled?.addEventListener('abort', stop);
	if (canceled?.aborted) stop();
	try {
		// One more than may be in flight, so that one is always ready, without holding 10,000 in memory.
		const active = Math.max(run.maxConcurrency + 1, MIN_ACTIVE_ITEMS);
		for (const part of [failedBefore, others]) {
			const remaining = part.values();
			await Promise.all(Array.from({ length: Math.min(part.length, active) }, () => sendAll(remaining)));
		}
		return results;
	} finally {
		canceled?.removeEventListener('abort', stop);
	}
}

async function sendItem(sending: SendContext, item: CheckedItem, itemIndex: number): Promise<ItemsResult[]> {
	const { context, credentialOf, history, run } = sending;
	if (isFailed(item)) return [item];
	const { dryRun, maxRetries, timeout } = item.options;
	let credential: VoiceAdminCredential;
	try {
		credential = await credentialOf(itemIndex);
	} catch (error) {
		run.handleFailure();
		const failure = failureOfError(error, 'invalid_credential');
		return item.requests.map((request) =>
			history.withEarlierTries({ itemIndex, failure: withRequestDetails(request, failure) }),
		);
	}
	const settings = { n8n: context, credential, run, maxRetries, timeoutMs: timeout * 1_000 };
	const resultOf = async (request: ApiRequest, requestIndex: number): Promise<ItemsResult> => {
		if (dryRun) return { value: [dryRunItem(request, credential, itemIndex)] };
		const read = (response: ApiResponse) => outputItems(response, request, itemIndex);
		return await history.sendUnlessSettled(itemIndex, requestIndex, request, credential.account, async (record) => {
			try {
				return await sendWithRetry(settings, request, read, record);
			} catch (error) {
				// Unexpected: it may have been sent.
				run.handleFailure();
				return { failure: withRequestDetails(request, failureOfError(error, 'invalid_response', 'unknown')) };
			}
		});
	};
	return await Promise.all(item.requests.map(resultOf));
}
