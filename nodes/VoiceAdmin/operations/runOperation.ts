import type { IExecuteFunctions, IGetNodeParameterOptions, INodeExecutionData } from 'n8n-workflow';

import { executeItems } from '../execution/executeItems';
import type { ReadParameter } from '../execution/itemParameters';
import { RunHistory } from '../execution/history/runHistory';
import { executionStore, runStore } from '../transport/n8nInternals';
import { buildRequests } from './buildRequests';
import type { Operation, Resource } from './operation';

/** As with n8n's Custom API Call, which the editor offers, and with an expression. */
const NOT_AN_OPERATION =
	"This node can't run a custom API call, or an operation that is not in its list. Choose an operation, or use the HTTP Request node with this credential";

/**
 * Runs the node's operation for all items. n8n calls it once per try: for a node with all its items, for a tool with the
 * one item that the model's arguments are.
 * @returns the items of the output @throws NodeApiError for the first failure, unless On Error is set to continue
 */
export async function runOperation(context: IExecuteFunctions, resources: Resource[]): Promise<INodeExecutionData[][]> {
	const operation = chosenOperation(context, resources);
	const buildItem = (read: ReadParameter) => {
		// For each item: n8n hands the input on as the output of a node that throws under Continue.
		if (!operation) throw new Error(NOT_AN_OPERATION);
		return buildRequests(operation, read);
	};
	const readParameter = (name: string, itemIndex: number, options?: IGetNodeParameterOptions): unknown =>
		context.getNodeParameter(name, itemIndex, null, options);
	// A tool call outside n8n's engine shows no output.
	const addHint = context.isToolExecution() ? undefined : context.addExecutionHints.bind(context);
	const { store, run } = runStore(context);
	const history = new RunHistory(store, executionStore(context), run);
	return [await executeItems({ context, items: context.getInputData(), readParameter, history, addHint }, buildItem)];
}

/** By the stored parameters, without evaluating an expression. */
function chosenOperation(context: IExecuteFunctions, resources: Resource[]): Operation | undefined {
	const { resource, operation } = context.getNode().parameters;
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ option: { value } }) => value === operation);
}
