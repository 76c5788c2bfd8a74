import * as n8nWorkflow from 'n8n-workflow';
import type { IExecutePaginationFunctions, INodeParameters } from 'n8n-workflow';

import type { Attempt } from './nodeRun';

/**
 * Whether n8n's routing executor goes on with the other items when the expression of one fails and the node is set
 * to continue. It does from n8n 2.39.4 on, whose executor is the first to need `toHostname` of n8n-workflow. Before
 * that it gives the run up, under any setting, and drops what comes of requests that are under way.
 */
const GOES_ON = 'toHostname' in n8nWorkflow;

/** Items whose expressions are evaluated before other work of n8n has a turn. */
const AT_ONCE = 50;

/**
 * Whether n8n has given up the run, or is going to, so that nobody would hear of what is sent.
 *
 * To be asked after an `await`: without batching n8n hands over all items, or fails to, in one go.
 */
export async function isGivenUp(context: IExecutePaginationFunctions, attempt: Attempt): Promise<boolean> {
	const continues = context.continueOnFail();
	if (continues && GOES_ON) return false;
	if (!attempt.hasEntered(context.getItemIndex())) return true;
	// With batching the others follow later. A run that stops on error has told of what came before, by stopping there.
	return continues && !(await attempt.canReadLaterItems(async (items) => await canReadItems(context, items)));
}

/** Whether n8n can evaluate the node's parameters for all of so many items. */
async function canReadItems(context: IExecutePaginationFunctions, items: number): Promise<boolean> {
	const expressions = expressionsIn(context.getNode().parameters);
	for (let item = 0; item < items; item++) {
		if (item % AT_ONCE === 0) await n8nWorkflow.sleep(0);
		try {
			for (const expression of expressions) context.evaluateExpression(expression, item);
		} catch {
			return false;
		}
	}
	return true;
}

/** The expressions in parameters, without the "=" by which n8n knows them. */
function expressionsIn(parameters: INodeParameters | INodeParameters[string]): string[] {
	if (typeof parameters === 'string') return parameters.startsWith('=') ? [parameters.slice(1)] : [];
	if (typeof parameters !== 'object' || parameters === null) return [];
	return Object.values(parameters).flatMap((value) => expressionsIn(value as INodeParameters[string]));
}
