import type { INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { parseRequestOptions, type RequestOptions } from '../parameters/requestOptions';
import { type Failure, failureOfError, ofRequest } from '../transport/failure';
import { RunLimit } from '../transport/flow/runLimit';
import { time, wait } from '../transport/flow/time';
import type { ErrorCode } from '../transport/http/classify';
import { toNodeApiError } from '../transport/nodeApiError';
import type { ApiRequest } from '../transport/request';
import type { N8nContext } from '../transport/sendRequest';
import { type RequestResult, sendWithRetry } from '../transport/sendWithRetry';
import { createOnce, type Creates, finalResults, findUnknownCreate, withOtherCreates } from './createOnce';
import { dryRunHint, failuresHint, waitHints } from './hints';
import { type CredentialContext, ItemCredentials } from './itemCredential';
import { parametersOf, type Shortcuts } from './itemParameters';
import { dryRunItem, errorItem, outputItems } from './outputItems';

/** How long items are checked or started before n8n's event loop has a turn, in milliseconds. */
const TURN_EVERY_MS = 20;

/** Checks an item's parameters and makes its requests of them. @throws InvalidParameterError */
export type BuildRequests = (read: (name: string) => unknown) => {
	requests: ApiRequest[];
	options: { maxConcurrency: number; maxRetries: number; maxWait: number; dryRun: boolean };
};

/** What n8n gives a run: of a node with all its items, or of a tool with the one of a call. */
export interface ItemsRun {
	context: N8nContext & CredentialContext & { continueOnFail: () => boolean };
	items: INodeExecutionData[];
	readParameter: (name: string, item: number, options?: { rawExpressions: boolean }) => unknown;
	/** Creates of this attempt and those before it under Retry On Fail: n8n's object for a run outlives an attempt. */
	creates: Creates;
	/** Shows the user a sentence beside the output; a tool has none. */
	addHint?: (hint: NodeExecutionHint) => void;
}

type CheckedItem = ReturnType<BuildRequests> & { requestOptions: RequestOptions };
type Failed = { failure: Failure };
type Result = RequestResult<INodeExecutionData[]>;

/**
 * Runs an operation for all items: checks them, sends their requests (or, in a dry run, shows them), and gives the outputs
 * in input order. Nothing is sent before all items are checked. When a failure stops the run, requests in flight are still
 * awaited, as what they create is to be reported.
 *
 * @throws NodeApiError of the first item that failed, unless On Error is set to continue: then it fails alone
 */
export async function executeItems(run: ItemsRun, buildRequests: BuildRequests): Promise<INodeExecutionData[]> {
	const { context, addHint } = run;
	const node = context.getNode();
	const creates: Creates = node.retryOnFail ? run.creates : new Map();
	const errorThatStops = async ({ failure, item }: { failure: Failure; item: number }) =>
		toNodeApiError(node, await withOtherCreates(failure, item, creates), item);
	const unknown = context.continueOnFail() ? undefined : await findUnknownCreate(creates);
	if (unknown) throw await errorThatStops(unknown);
	const items = await checkItems(run, buildRequests);
	const invalid = items.findIndex(isFailed);
	if (invalid !== -1 && !context.continueOnFail()) throw await errorThatStops({ ...(items[invalid] as Failed), item: invalid });
	const { maxConcurrency, maxWait } = items.find(isValid)?.options ?? { maxConcurrency: 1, maxWait: 0 };
	const limit = new RunLimit(maxConcurrency, maxWait * 1_000);
	const results = await sendItems({ ...run, creates }, items, limit);

	const failures = results.flatMap((each, item) => each.filter(isFailed).map(({ failure }) => ({ item, failure })));
	const [first] = failures;
	if (first && !context.continueOnFail()) throw await errorThatStops(first);
	const dryRuns = items.map((item, index) => (isValid(item) && item.options.dryRun ? results[index]!.filter((each) => !isFailed(each)).length : undefined));
	const hints = [dryRunHint(dryRuns), failuresHint(failures, items.length), ...waitHints(limit.waitedMs)];
	for (const hint of hints) if (hint) addHint?.(hint);
	return results.flatMap((each, item) =>
		each.flatMap((result) => (result === 'aborted' ? [] : isFailed(result) ? [errorItem(result.failure, item)] : result.value)),
	);
}

/** Checks the items in order, until the execution is cancelled, or one is not valid that stops the run. */
async function checkItems({ context, items, readParameter }: ItemsRun, buildRequests: BuildRequests): Promise<Array<CheckedItem | Failed>> {
	const shortcuts: Shortcuts = new Map();
	const checked: Array<CheckedItem | Failed> = [];
	const giveTurn = slices();
	for (const [item, { json }] of items.entries()) {
		await giveTurn();
		if (context.getExecutionCancelSignal?.()?.aborted) break;
		try {
			const read = parametersOf(json, (name, options) => readParameter(name, item, options), shortcuts);
			checked.push({ ...buildRequests(read), requestOptions: parseRequestOptions(read('requestOptions')) });
		} catch (error) {
			checked.push({ failure: failureOfError(error, 'invalid_parameter') });
			if (!context.continueOnFail()) break;
		}
	}
	return checked;
}

/** Sends the items' requests, in n8n's batches if the node has them; the first failure, or a cancel, stops what has not been sent. */
async function sendItems({ context, creates }: ItemsRun, items: Array<CheckedItem | Failed>, limit: RunLimit): Promise<Result[][]> {
	const stopsOnFailure = !context.continueOnFail();
	const credentials = new ItemCredentials(context);

	const send = async ({ requestOptions, options }: CheckedItem, request: ApiRequest, item: number): Promise<Result> => {
		let phase: ErrorCode = 'invalid_credential';
		try {
			const credential = await credentials.of(item);
			if (options.dryRun) return { value: [dryRunItem(request, credential, item)] };
			// Should anything fail unforeseen from here on, it may have been sent.
			phase = 'invalid_response';
			const sender = { context, credential, connection: requestOptions.connection, run: limit, maxRetries: options.maxRetries, stopsOnFailure };
			return await sendWithRetry(sender, request, (response) => outputItems(response, request, item));
		} catch (error) {
			if (stopsOnFailure) limit.close();
			return { failure: ofRequest(request, failureOfError(error, phase)) };
		}
	};
	const sendItem = async (item: CheckedItem, index: number): Promise<Result[]> => {
		return await Promise.all(
			item.requests.map(async (request, nth) => {
				const sendIt = async () => await send(item, request, index);
				return item.options.dryRun ? await sendIt() : await createOnce(creates, index, nth, request, sendIt);
			}),
		);
	};

	/** What an earlier attempt has done is not undone by an expression that fails now. */
	const resultsOfInvalid = async (item: Failed, index: number): Promise<Result[]> => {
		const before = await finalResults(creates, index);
		return before.length > 0 ? before : [item];
	};

	const cancelled = context.getExecutionCancelSignal?.();
	const close = () => limit.close();
	cancelled?.addEventListener('abort', close);
	if (cancelled?.aborted) close();
	const { batchSize = Infinity, batchIntervalMs = 0 } = items.find(isValid)?.requestOptions ?? {};
	const results: Result[][] = items.map(() => []);
	const giveTurn = slices();
	/** Sends a batch, no more items at a time than may be in flight: so 10,000 that wait for their turn take no memory. */
	const sendBatch = async (start: number): Promise<unknown> => {
		const rest = items.slice(start, start + batchSize).entries();
		const sendRest = async () => {
			for (const [index, item] of rest) {
				await giveTurn();
				if (limit.isClosed) return;
				results[start + index] = isFailed(item) ? await resultsOfInvalid(item, start + index) : await sendItem(item, start + index);
			}
		};
		return await Promise.all(Array.from({ length: Math.min(batchSize, limit.maxConcurrency + 1) }, sendRest));
	};
	const sending: Array<Promise<unknown>> = [];
	try {
		for (let start = 0; start < items.length; start += batchSize) {
			if (start > 0) await wait(batchIntervalMs, () => limit.isClosed);
			sending.push(sendBatch(start));
		}
		await Promise.all(sending);
		return results;
	} finally {
		cancelled?.removeEventListener('abort', close);
	}
}

function isFailed(each: CheckedItem | Result): each is Failed {
	return typeof each === 'object' && 'failure' in each;
}

function isValid(item: CheckedItem | Failed): item is CheckedItem {
	return !isFailed(item);
}

/** To be awaited in a loop: gives n8n's event loop a turn when `TURN_EVERY_MS` have passed since the last one. */
function slices(): () => Promise<void> | undefined {
	let since = time.now();
	return () => (time.now() - since < TURN_EVERY_MS ? undefined : time.sleep(0).then(() => void (since = time.now())));
}
