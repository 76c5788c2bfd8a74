import type { INodeExecutionData } from 'n8n-workflow';

import { failureOfError, ofRequest } from '../transport/failure';
import type { RunLimit } from '../transport/flow/runLimit';
import { time, wait } from '../transport/flow/time';
import type { ErrorCode } from '../transport/http/classify';
import type { ApiRequest } from '../transport/request';
import { type RequestResult, sendWithRetry } from '../transport/sendWithRetry';
import { type CheckedItem, type Failed, isFailed, isValid, type ItemsRun, slices } from './checkItems';
import { ItemCredentials } from './itemCredential';
import { dryRunItem, outputItems } from './outputItems';
import { sendOnce, settledResults } from './runHistory';

type Result = RequestResult<INodeExecutionData[]>;

/**
 * Sends the items' requests, in n8n's batches if the node has them. The first failure, unless On Error is set to continue,
 * or a cancel stops what has not been sent. @returns the results of each item's requests
 */
export async function sendItems(run: ItemsRun, items: Array<CheckedItem | Failed>, limit: RunLimit): Promise<Result[][]> {
	const sender = new ItemSender(run, limit);
	const results: Result[][] = items.map(() => []);
	const { batchSize = Infinity, batchIntervalMs = 0 } = items.find(isValid)?.requestOptions ?? {};
	const startedAt = time.now();
	const giveTurn = slices();
	const rest = items.entries();
	const startOneByOne = async () => {
		for (const [index, item] of rest) {
			const batchStart = startedAt + Math.floor(index / batchSize) * batchIntervalMs;
			await wait(batchStart - time.now(), () => limit.isClosed);
			await giveTurn();
			if (limit.isClosed) return;
			results[index] = await sender.resultsOf(item, index);
		}
	};
	const cancelled = run.context.getExecutionCancelSignal?.();
	const close = () => limit.close();
	cancelled?.addEventListener('abort', close);
	if (cancelled?.aborted) close();
	try {
		// No more items at a time than may be in flight: so 10,000 that wait for their turn take no memory.
		await Promise.all(Array.from({ length: Math.min(items.length, limit.maxConcurrency + 1) }, startOneByOne));
		return results;
	} finally {
		cancelled?.removeEventListener('abort', close);
	}
}

/** Sends the requests of an item. */
class ItemSender {
	private readonly credentials: ItemCredentials;

	constructor(
		private readonly run: ItemsRun,
		private readonly limit: RunLimit,
	) {
		this.credentials = new ItemCredentials(run.context);
	}

	async resultsOf(item: CheckedItem | Failed, index: number): Promise<Result[]> {
		const { history } = this.run;
		if (isFailed(item)) {
			// What an earlier attempt has done is not undone by an expression that fails now.
			const settled = await settledResults(history, index);
			return settled.length > 0 ? settled : [item];
		}
		const resultOf = async (request: ApiRequest, nth: number) => {
			const send = async () => await this.send(request, item, index);
			return item.options.dryRun ? await send() : await sendOnce(history, index, nth, request, send);
		};
		return await Promise.all(item.requests.map(resultOf));
	}

	private async send(request: ApiRequest, { requestOptions: { connection }, options }: CheckedItem, index: number): Promise<Result> {
		const { context } = this.run;
		const stopsOnFailure = !context.continueOnFail();
		let phase: ErrorCode = 'invalid_credential';
		try {
			const credential = await this.credentials.of(index);
			if (options.dryRun) return { value: [dryRunItem(request, credential, index)] };
			// Should anything fail unforeseen from here on, it may have been sent.
			phase = 'invalid_response';
			const requestContext = { context, credential, connection, run: this.limit, maxRetries: options.maxRetries, stopsOnFailure };
			return await sendWithRetry(requestContext, request, (response) => outputItems(response, request, index));
		} catch (error) {
			if (stopsOnFailure) this.limit.close();
			return { failure: ofRequest(request, failureOfError(error, phase)) };
		}
	}
}
