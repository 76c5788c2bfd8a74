import type { IExecuteFunctions, IExecutePaginationFunctions, IGetNodeParameterOptions, INodeExecutionData } from 'n8n-workflow';

import { nodeRunKey, toolCallKey } from '../transport/n8nInternals';
import { type BuildRequests, executeItems } from './executeItems';
import { historyOf } from './runHistory';

/** A function for `customOperations`: n8n's engine calls it once for an attempt at a node run, with all items. */
export function nodeRunner(buildRequests: BuildRequests) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const readParameter = (name: string, item: number, options?: IGetNodeParameterOptions): unknown => this.getNodeParameter(name, item, null, options);
		const addHint = this.addExecutionHints.bind(this);
		return [await executeItems({ context: this, items: this.getInputData(), readParameter, history: historyOf(nodeRunKey(this)), addHint }, buildRequests)];
	};
}

/**
 * A pagination hook: where n8n calls the node as a tool outside of its engine, its routing executor runs it, and hands
 * the one item of a call to this.
 */
export function toolCallRunner(buildRequests: BuildRequests) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const readParameter = (name: string, _item: number, options?: IGetNodeParameterOptions): unknown => this.getNodeParameter(name, null, options);
		return await executeItems({ context: this, items: [this.getInputData()], readParameter, history: historyOf(toolCallKey(this)) }, buildRequests);
	};
}
