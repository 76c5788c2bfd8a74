import { sleep } from 'n8n-workflow';
import type { INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { type Failure, failureOfError } from '../transport/failure';
import { RunLimit } from '../transport/flow/runLimit';
import { now, wait } from '../transport/flow/time';
import type { ErrorCode } from '../transport/http/classify';
import type { ApiRequest, ConnectionOptions } from '../transport/request';
import type { N8nContext } from '../transport/sendRequest';
import { type RequestResult, sendWithRetry } from '../transport/sendWithRetry';
import { createOnce, type Creates } from './createOnce';
import { type CredentialContext, ItemCredentials } from './itemCredential';
import { parametersOf, type ReadParameter, type Shortcuts } from './itemParameters';
import { toNodeApiError } from './nodeApiError';
import { dryRunHint, dryRunItem, errorItem, failuresHint, outputItems } from './outputItems';
import { type Batching, batchingOf, connectionOf } from './requestOptions';

/** How long items are checked or started before n8n's event loop has a turn, in milliseconds. */
const SLICE_MS = 20;

/** Checks an item's parameters and makes its requests of them. @throws InvalidParameterError */
export type BuildRequests = (read: (name: string) => unknown) => {
	requests: ApiRequest[];
	options: { maxConcurrency: number; maxRetries: number; dryRun: boolean };
};

/** What n8n gives a run: of a node with all its items, or of a tool with the one of a call. */
export interface ItemsRun {
	context: N8nContext & CredentialContext & { continueOnFail: () => boolean };
	items: INodeExecutionData[];
	readParameter: (name: string, item: number, options?: { rawExpressions: boolean }) => unknown;
	/** Creates of the attempts before, under Retry On Fail. */
	creates: Creates;
	/** Shows the user a sentence beside the output; a tool has none. */
	addHint?: (hint: NodeExecutionHint) => void;
}

/** An item that can be sent. */
interface CheckedItem extends ReturnType<BuildRequests> {
	connection: ConnectionOptions;
}

type CheckResult = CheckedItem | { failure: Failure };

/** What became of a request, and of an item's requests. */
type Result = RequestResult<INodeExecutionData[]>;
type Results = Result[];

/**
 * Runs an operation for all items: checks them, sends their requests, and gives the outputs in input order.
 *
 * An item that is not valid stops the run before anything is sent. Under On Error: Continue it fails alone.
 * @throws NodeApiError of the first item that failed, unless the node is set to continue
 */
export async function executeItems(run: ItemsRun, buildRequests: BuildRequests): Promise<INodeExecutionData[]> {
	const { context, addHint } = run;
	const continues = context.continueOnFail();
	const { checked, batching } = await checkItems(run, buildRequests);
	const valid = checked.filter((item): item is CheckedItem => !('failure' in item));
	const isSent = continues || valid.length === checked.length;
	const results = isSent ? await sendItems(run, checked, batching) : checked.map((item) => ('failure' in item ? [item] : []));

	const failures = results.flatMap((each, item) =>
		each.flatMap((result) => (typeof result === 'object' && 'failure' in result ? [{ item, failure: result.failure }] : [])),
	);
	const [first] = failures;
	if (first && !continues) throw toNodeApiError(context.getNode(), first.failure, first.item);
	for (const hint of [dryRunHint(valid), failuresHint(failures, checked.length)]) if (hint) addHint?.(hint);
	return results.flatMap((each, item) =>
		each.flatMap((result) => (result === 'aborted' ? [] : 'value' in result ? result.value : [errorItem(result.failure, item)])),
	);
}

/** Checks the items in order: until the first that is not valid, unless the node is set to continue, or the execution is cancelled. */
async function checkItems(
	{ context, items, readParameter }: ItemsRun,
	buildRequests: BuildRequests,
): Promise<{ checked: CheckResult[]; batching: Batching }> {
	const shortcuts: Shortcuts = new Map();
	const checked: CheckResult[] = [];
	const giveTurn = slices();
	let batching = batchingOf(undefined);
	for (const [item, { json }] of items.entries()) {
		await giveTurn();
		if (context.getExecutionCancelSignal?.()?.aborted) break;
		try {
			const read = parametersOf(json, ((name, options) => readParameter(name, item, options)) satisfies ReadParameter, shortcuts);
			const requestOptions = read('requestOptions');
			if (item === 0) batching = batchingOf(requestOptions);
			checked.push({ ...buildRequests(read), connection: connectionOf(requestOptions) });
		} catch (error) {
			checked.push({ failure: failureOfError(error, 'invalid_parameter') });
			if (!context.continueOnFail()) break;
		}
	}
	return { checked, batching };
}

/** Sends the items' requests, in batches where the node is set to; the first failure or a cancel stops what has not been sent. */
async function sendItems({ context, creates }: ItemsRun, checked: CheckResult[], batching: Batching): Promise<Results[]> {
	const first = checked.find((item): item is CheckedItem => !('failure' in item));
	const limit = new RunLimit(first?.options.maxConcurrency ?? 1);
	const stopsOnFailure = !context.continueOnFail();
	const isRepeatable = context.getNode().retryOnFail === true;
	const cancelled = context.getExecutionCancelSignal?.();
	const close = () => limit.close();
	cancelled?.addEventListener('abort', close);
	if (cancelled?.aborted) close();

	const credentials = new ItemCredentials(context);
	const sendOne = async ({ connection, options: { maxRetries, dryRun } }: CheckedItem, request: ApiRequest, item: number): Promise<Result> => {
		let phase: ErrorCode = 'invalid_credential';
		try {
			const credential = await credentials.of(item);
			if (dryRun) return { value: [dryRunItem(request, credential, item)] };
			// Should anything fail unforeseen from here on, it may have been sent.
			phase = 'invalid_response';
			const sender = { context, credential, connection, run: limit, maxRetries, stopsOnFailure };
			return await sendWithRetry(sender, request, (response) => outputItems(response, request, item));
		} catch (error) {
			return { failure: failureOfError(error, phase) };
		}
	};
	const sendItem = async (item: CheckResult, index: number): Promise<Results> => {
		if ('failure' in item) return [item];
		return await Promise.all(
			item.requests.map(async (request) => {
				const send = async () => await sendOne(item, request, index);
				const isOnce = isRepeatable && !item.options.dryRun;
				const result = isOnce ? await createOnce(creates, index, request, stopsOnFailure ? limit : undefined, send) : await send();
				if (stopsOnFailure && typeof result === 'object' && 'failure' in result) close();
				return result;
			}),
		);
	};

	const giveTurn = slices();
	const sending: Array<Promise<Results>> = [];
	try {
		for (const [index, item] of checked.entries()) {
			await giveTurn();
			if (index > 0 && index % batching.size === 0) await wait(batching.intervalMs, () => limit.isClosed);
			sending.push(sendItem(item, index));
		}
		return await Promise.all(sending);
	} finally {
		cancelled?.removeEventListener('abort', close);
	}
}

/** To be awaited in a loop: gives n8n's event loop a turn when `SLICE_MS` have passed since the last one. */
function slices(): () => Promise<void> | undefined {
	let since = now();
	return () => {
		if (now() - since < SLICE_MS) return undefined;
		return sleep(0).then(() => void (since = now()));
	};
}
