import type { INodeExecutionData } from 'n8n-workflow';

import type { RequestOptions } from '../parameters/requestOptions';
import { type Failure, failureOfError, withRequestDetails } from '../transport/failure';
import type { RunController } from '../transport/flow/runController';
import { eventLoopYielder, time, wait } from '../time';
import type { ApiRequest } from '../transport/apiRequest';
import type { N8nContext } from '../transport/sendRequest';
import { type RequestResult, sendWithRetry } from '../transport/sendWithRetry';
import { type CredentialContext, credentialReader } from './itemCredential';
import { dryRunItem, outputItems } from './outputItems';
import { type RunHistory, sendUnlessSettled, settledResults } from './runHistory';

/** What a run needs of n8n's context. */
export type RunContext = N8nContext & CredentialContext & { continueOnFail: () => boolean };

/** What the collection "Options" of a node sets. */
export interface RunOptions {
	/** Maximum number of concurrent requests of a node run. */
	maxConcurrency: number;
	/** How often a request is sent again at the most for a fault of its own. */
	maxRetries: number;
	/** How long requests wait for a service that is unavailable, in seconds. */
	maxWait: number;
	dryRun: boolean;
	/** Whether an item may create what an item before it in the run creates. */
	allowDuplicates?: boolean;
}

/** An item whose parameters are valid. */
export interface CheckedItem {
	requests: ApiRequest[];
	options: RunOptions;
	requestOptions: RequestOptions;
}

export type Failed = { failure: Failure };
type Result = RequestResult<INodeExecutionData[]>;

type Send = (request: ApiRequest, item: CheckedItem, itemIndex: number) => Promise<Result>;

/**
 * Sends the items' requests, in n8n's batches if the node has them. The first failure, unless On Error is set to continue,
 * or a cancel stops what has not been sent. @returns the results of each item's requests
 */
export async function sendItems(context: RunContext, items: Array<CheckedItem | Failed>, run: RunController, history: RunHistory): Promise<Result[][]> {
	const sendOrPreview = requestSender(context, run);
	const results: Result[][] = items.map(() => []);
	const { batchSize = Infinity, batchIntervalMs = 0 } = items.find(isValid)?.requestOptions ?? {};
	const startedAt = time.now();
	const yieldIfDue = eventLoopYielder();
	const remaining = items.entries();
	const sendRemaining = async () => {
		for (const [itemIndex, item] of remaining) {
			const batchStart = startedAt + Math.floor(itemIndex / batchSize) * batchIntervalMs;
			await wait(batchStart - time.now(), () => run.isStopped);
			await yieldIfDue();
			if (run.isStopped) return;
			results[itemIndex] = await sendItem(item, itemIndex, history, sendOrPreview);
		}
	};
	const canceled = context.getExecutionCancelSignal?.();
	const stop = () => run.stop();
	canceled?.addEventListener('abort', stop);
	if (canceled?.aborted) stop();
	try {
		// One more item than may be in flight, so that one is ready, and 10,000 waiting ones take no memory.
		await Promise.all(Array.from({ length: Math.min(items.length, run.maxConcurrency + 1) }, sendRemaining));
		return results;
	} finally {
		canceled?.removeEventListener('abort', stop);
	}
}

async function sendItem(item: CheckedItem | Failed, itemIndex: number, history: RunHistory, sendOrPreview: Send): Promise<Result[]> {
	if (isFailed(item)) {
		// What an earlier attempt has done is not undone by an expression that fails now.
		const settled = settledResults(history, itemIndex);
		return settled.length > 0 ? settled : [item];
	}
	const sendOnce = async (request: ApiRequest, requestIndex: number) => {
		const send = async () => await sendOrPreview(request, item, itemIndex);
		return item.options.dryRun ? await send() : await sendUnlessSettled(history, itemIndex, requestIndex, request, send);
	};
	return await Promise.all(item.requests.map(sendOnce));
}

/** Gives a function that sends a request of an item, or in a dry run shows it. */
function requestSender(context: RunContext, run: RunController): Send {
	const credentialOf = credentialReader(context);
	const stopsOnFailure = !context.continueOnFail();
	return async (request, { requestOptions: { connection }, options }, itemIndex) => {
		let mayBeSent = false;
		try {
			const credential = await credentialOf(itemIndex);
			if (options.dryRun) return { value: [dryRunItem(request, credential, itemIndex)] };
			// Should anything fail unforeseen from here on, it may have been sent.
			mayBeSent = true;
			const requestContext = { n8n: context, credential, connection, run, maxRetries: options.maxRetries, stopsOnFailure };
			return await sendWithRetry(requestContext, request, (response) => outputItems(response, request, itemIndex));
		} catch (error) {
			if (stopsOnFailure) run.stop();
			const failure = mayBeSent ? failureOfError(error, 'invalid_response', 'unknown') : failureOfError(error, 'invalid_credential');
			return { failure: withRequestDetails(request, failure) };
		}
	};
}

export function isValid(item: CheckedItem | Failed): item is CheckedItem {
	return !isFailed(item);
}

export function isFailed(each: CheckedItem | Result): each is Failed {
	return 'failure' in each;
}
