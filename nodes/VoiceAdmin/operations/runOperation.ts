import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { executeItems } from '../execution/executeItems';
import { buildRequests } from './buildRequests';
import type { Resource } from './operation';

/** As with n8n's Custom API Call, which the editor offers, and with an expression. */
const NOT_AN_OPERATION =
	"This node can't run a custom API call, or an operation that isn't in its list. Choose an operation, or use the HTTP Request node with this credential";

/**
 * The node's `execute`. n8n calls it once per try: for a node with all its items, for a tool with one, the model's arguments.
 * @throws NodeApiError for the first failure, unless On Error is set to continue
 */
export async function runOperation(context: IExecuteFunctions, resources: Resource[]): Promise<INodeExecutionData[][]> {
	// As they are stored, without evaluating an expression.
	const { parameters } = context.getNode();
	const resource = resources.find(({ value }) => value === parameters.resource);
	const operation = resource?.operations.find(({ option }) => option.value === parameters.operation);
	const output = await executeItems(context, (read) => {
		// For each item: n8n hands the input on as the output of a node that throws under Continue.
		if (!operation) throw new Error(NOT_AN_OPERATION);
		return buildRequests(operation, read);
	});
	return [output];
}
