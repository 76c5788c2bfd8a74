import type { INodeExecutionData } from 'n8n-workflow';

import type { Failure } from '../transport/failure';
import { RunLimit } from '../transport/flow/runLimit';
import { toNodeApiError } from '../transport/nodeApiError';
import { type BuildRequests, checkItems, type Failed, isFailed, isValid, type ItemsRun } from './checkItems';
import { dryRunHint, failuresHint, waitHints } from './hints';
import { errorItem } from './outputItems';
import { findUnknownCreate, type RunHistory, withHistory } from './runHistory';
import { sendItems } from './sendItems';

/**
 * Runs an operation for all items: checks them, sends their requests (or, in a dry run, shows them), and gives the outputs
 * in input order. Nothing is sent before all items are checked. When a failure stops the run, requests in flight are still
 * awaited, as what they do is to be reported.
 *
 * @throws NodeApiError of the first item that failed, unless On Error is set to continue: then it fails alone
 */
export async function executeItems(run: ItemsRun, buildRequests: BuildRequests): Promise<INodeExecutionData[]> {
	const { context, addHint } = run;
	const node = context.getNode();
	const history: RunHistory = node.retryOnFail ? run.history : new Map();
	const stopOn = async (first: { failure: Failure; item: number } | undefined) => {
		if (first && !context.continueOnFail()) throw toNodeApiError(node, await withHistory(first.failure, history), first.item);
	};
	if (!context.continueOnFail()) await stopOn(await findUnknownCreate(history));
	const items = await checkItems(run, buildRequests);
	const invalid = items.findIndex(isFailed);
	if (invalid !== -1) await stopOn({ ...(items[invalid] as Failed), item: invalid });
	const { maxConcurrency, maxWait } = items.find(isValid)?.options ?? { maxConcurrency: 1, maxWait: 0 };
	const limit = new RunLimit(maxConcurrency, maxWait * 1_000);
	const results = await sendItems({ ...run, history }, items, limit);

	const failures = results.flatMap((each, item) => each.filter(isFailed).map(({ failure }) => ({ item, failure })));
	await stopOn(failures[0]);
	const dryRuns = items.map((item, index) => (isValid(item) && item.options.dryRun ? results[index]!.filter((each) => !isFailed(each)).length : undefined));
	const hints = [dryRunHint(dryRuns), failuresHint(failures, items.length), ...waitHints(limit.waitedMs)];
	for (const hint of hints) if (hint) addHint?.(hint);
	return results.flatMap((each, item) =>
		each.flatMap((result) => (result === 'aborted' ? [] : isFailed(result) ? [errorItem(result.failure, item)] : result.value)),
	);
}
