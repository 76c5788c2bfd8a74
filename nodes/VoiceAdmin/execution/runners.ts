import type { IExecuteFunctions, IExecutePaginationFunctions, IGetNodeParameterOptions, INodeExecutionData } from 'n8n-workflow';

import { nodeRunKey, toolCallKey } from '../transport/n8nInternals';
import { type BuildRequests, executeItems } from './executeItems';
import { historyOf } from './runHistory';

/** A function for `customOperations`: n8n's engine calls it once per attempt, with all items. */
export function nodeRunner(buildRequests: BuildRequests) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const readParameter = (name: string, item: number, options?: IGetNodeParameterOptions): unknown => this.getNodeParameter(name, item, null, options);
		const addHint = this.addExecutionHints.bind(this);
		return [await executeItems({ context: this, items: this.getInputData(), readParameter, history: historyOf(nodeRunKey(this)), addHint }, buildRequests)];
	};
}

/**
 * A pagination hook: for tool calls outside n8n's engine, its routing executor passes the call's one item to it.
 */
export function toolCallRunner(buildRequests: BuildRequests) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const readParameter = (name: string, _item: number, options?: IGetNodeParameterOptions): unknown => this.getNodeParameter(name, null, options);
		return await executeItems({ context: this, items: [this.getInputData()], readParameter, history: historyOf(toolCallKey(this)) }, buildRequests);
	};
}
