import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IGetNodeParameterOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import { executeItems } from '../execution/executeItems';
import { historyOf } from '../execution/runHistory';
import { nodeRunKey, toolCallKey } from '../transport/n8nInternals';
import { buildRequests } from './buildRequests';
import type { Operation } from './operation';

/** A function for `customOperations`: n8n's engine calls it once per try, with all items. */
export function nodeRunner(operation: Operation) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const readParameter = (name: string, itemIndex: number, options?: IGetNodeParameterOptions): unknown =>
			this.getNodeParameter(name, itemIndex, null, options);
		const addHint = this.addExecutionHints.bind(this);
		const input = {
			context: this,
			items: this.getInputData(),
			readParameter,
			history: historyOf(nodeRunKey(this)),
			addHint,
		};
		return [await executeItems(input, (read) => buildRequests(operation, read))];
	};
}

/** A pagination hook: for tool calls outside n8n's engine, its routing executor passes the call's one item to it. */
export function toolCallRunner(operation: Operation) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const readParameter = (name: string, _itemIndex: number, options?: IGetNodeParameterOptions): unknown =>
			this.getNodeParameter(name, null, options);
		const input = { context: this, items: [this.getInputData()], readParameter, history: historyOf(toolCallKey(this)) };
		return await executeItems(input, (read) => buildRequests(operation, read));
	};
}
