import * as n8nWorkflow from 'n8n-workflow';
import type { IExecutePaginationFunctions, INodeParameters } from 'n8n-workflow';

import type { NodeRun } from './nodeRun';

/**
 * Whether n8n goes on with the other items when the expression of one fails and the node is set to continue: from 2.39.4
 * on, whose executor is the first to need `toHostname` of n8n-workflow. Before that it aborts the run, under any
 * setting, and drops the output of requests that are under way.
 */
const CONTINUES_AFTER_EXPRESSION_ERROR = 'toHostname' in n8nWorkflow;

/** Number of items whose expressions are evaluated before other work of n8n has a turn. */
const CHUNK = 50;

/**
 * Whether n8n has aborted the run, or is going to, so that nobody would see the output of what is sent. To be asked
 * after an `await`: without batching n8n hands over all items, or fails to, in one go.
 */
export async function isRunAborted(context: IExecutePaginationFunctions, run: NodeRun): Promise<boolean> {
	const continues = context.continueOnFail();
	if (continues && CONTINUES_AFTER_EXPRESSION_ERROR) return false;
	if (!run.isBatchComplete(context.getItemIndex())) return true;
	// The other batches follow later. A run that stops on error has shown its output by then, by stopping there.
	return continues && !(await run.canReadLaterItems(async (items) => await canReadItems(context, items)));
}

/** Whether n8n can evaluate the node's parameters for all of so many items. */
async function canReadItems(context: IExecutePaginationFunctions, items: number): Promise<boolean> {
	const expressions = expressionsIn(context.getNode().parameters);
	for (let item = 0; item < items; item++) {
		if (item % CHUNK === 0) await n8nWorkflow.sleep(0);
		try {
			for (const expression of expressions) context.evaluateExpression(expression, item);
		} catch {
			return false;
		}
	}
	return true;
}

/** The expressions in parameters, without their "=". */
function expressionsIn(parameters: INodeParameters | INodeParameters[string]): string[] {
	if (typeof parameters === 'string') return parameters.startsWith('=') ? [parameters.slice(1)] : [];
	if (typeof parameters !== 'object' || parameters === null) return [];
	return Object.values(parameters).flatMap((value) => expressionsIn(value as INodeParameters[string]));
}
