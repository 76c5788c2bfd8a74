import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failureOfError } from '../transport/failure';
import { Run } from '../transport/flow/run';
import { eventLoopYielder } from '../time';
import { logEnd } from '../log';
import { executionStore, runStore } from '../transport/n8nInternals';
import { toNodeApiError } from '../transport/toNodeApiError';
import { type CheckedItem, type FailedItem, isFailed, isValid, type ValidItem } from './checkedItem';
import { credentialReader } from './itemCredential';
import { rejectDuplicates } from './rejectDuplicates';
import { rejectSettled } from './history/rejectSettled';
import { DRY_RUN_HINT, failuresHint, resentHint, waitHints } from './hints';
import { parameterReader, type ReadParameter, type Shortcuts } from './itemParameters';
import { errorItem } from './outputItems';
import type { ItemsResult } from './history/entry';
import { RunHistory } from './history/runHistory';
import { sendItems } from './sendItems';

/** Validates an item's parameters and builds its requests. @throws InvalidParameterError */
export type BuildItem = (read: ReadParameter) => ValidItem;

/**
 * Runs an operation for all items: validates all of them before anything is sent, sends their requests (a dry run outputs them), and
 * returns the outputs in input order. If a failure stops the run, requests in flight are still awaited, to report their outcome.
 * @throws NodeApiError for the first item that failed, unless On Error is set to continue
 */
export async function executeItems(context: IExecuteFunctions, buildItem: BuildItem): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const { store, run: runId } = runStore(context);
	// Requests of this and earlier tries.
	const history = new RunHistory(store, executionStore(context), runId);
	const throwUnlessContinuing = (first: FailedItem | undefined) => {
		if (!first || context.continueOnFail()) return;
		history.end(false);
		throw toNodeApiError(node, history.withOtherRequests(first), first.itemIndex);
	};
	const credentialOf = credentialReader(context);
	const checked = await checkItems(context, buildItem, history);
	const items = await rejectDuplicates(credentialOf, await rejectSettled(credentialOf, checked, history), history);
	throwUnlessContinuing(failuresOf(items)[0]);
	// Without a valid item, nothing is sent.
	const { maxConcurrency, maxWait } = items.find(isValid)?.options ?? { maxConcurrency: 1, maxWait: 0 };
	const run = new Run(maxConcurrency, maxWait * 1_000, !context.continueOnFail());
	const results = await sendItems({ context, credentialOf, run, history }, items);
	const isCanceled = context.getExecutionCancelSignal?.()?.aborted === true;
	if (isCanceled) logEnd(history.describe());

	const failures = failuresOf(results);
	throwUnlessContinuing(failures[0]);
	const isDryRun = items.some((item) => isValid(item) && item.options.dryRun);
	const isInPart = results.some((each) => each.some(isFailed) && each.some((result) => 'value' in result));
	const failed = failuresHint(failures, items.length, isInPart);
	const resent = resentHint(results.flat().filter((result) => 'wasResent' in result && result.wasResent).length);
	const hints = [isDryRun ? DRY_RUN_HINT : undefined, failed, resent, ...waitHints(run.waitedMs)];
	// A tool call outside n8n's engine shows no output.
	for (const hint of hints) if (hint && !context.isToolExecution()) context.addExecutionHints(hint);
	const output = results.flatMap((each, itemIndex) =>
		each.flatMap((result) =>
			'stopped' in result ? [] : isFailed(result) ? [errorItem(result.failure, itemIndex)] : result.value,
		),
	);
	// Under Retry On Fail, n8n tries again whose first item has an error.
	const isTriedAgain = node.retryOnFail === true && output[0]?.json.error !== undefined;
	history.end(!isCanceled && !isTriedAgain);
	return output;
}

function failuresOf(results: Array<CheckedItem | ItemsResult[]>): FailedItem[] {
	return results.flatMap((each, itemIndex) =>
		[each]
			.flat()
			.filter(isFailed)
			.map(({ failure }) => ({ itemIndex, failure })),
	);
}

/** Validates the items in order, until a cancel, or an invalid one that stops the run. */
async function checkItems(
	context: IExecuteFunctions,
	buildItem: BuildItem,
	history: RunHistory,
): Promise<CheckedItem[]> {
	const shortcuts: Shortcuts = new Map();
	const checked: CheckedItem[] = [];
	const yieldIfDue = eventLoopYielder();
	for (const [itemIndex, { json }] of context.getInputData().entries()) {
		await yieldIfDue();
		if (context.getExecutionCancelSignal?.()?.aborted) break;
		try {
			const read = parameterReader(
				json,
				(name, options) => context.getNodeParameter(name, itemIndex, null, options),
				shortcuts,
			);
			checked.push(buildItem(read));
		} catch (error) {
			checked.push(history.withEarlierTries({ itemIndex, failure: failureOfError(error, 'invalid_parameter') }));
			if (!context.continueOnFail()) break;
		}
	}
	return checked;
}
