import type { IDataObject, INode } from 'n8n-workflow';

import { readExamples } from '../../../scripts/demo/examples.mts';
import { chain, webhook } from './workflow.mts';

/** A workflow of examples/, as it is in its file, with the id by which n8n shall know it. */
export interface Example extends IDataObject {
	id: string;
	name: string;
	nodes: INode[] & IDataObject[];
}

/**
 * Reads a workflow of examples/.
 * @param file name without `.json`
 * @param id in n8n, if not its own; one without an id has the file's name for it
 */
export function readExample(file: string, id?: string): Example {
	const example = readExamples().get(file) as unknown as Example;
	return { ...example, id: id ?? example.id };
}

/** A workflow in which fields of an Edit Fields node have other values. */
export function withFields(workflow: Example, node: string, values: Record<string, unknown>): Example {
	return withNode(workflow, node, ({ parameters }) => {
		const { assignments } = parameters.assignments as { assignments: Array<{ name: string; value: unknown }> };
		for (const [name, value] of Object.entries(values)) {
			const field = assignments.find((assignment) => assignment.name === name);
			if (!field) throw new Error(`The node "${node}" has no field "${name}"`);
			field.value = value;
		}
	});
}

/** A workflow in which a node that only keeps a place is one that posts its items to an address. */
export function withPostInPlaceOf(workflow: Example, node: string, url: string): Example {
	return withNode(workflow, node, (found) => {
		if (found.type !== 'n8n-nodes-base.noOp') throw new Error(`The node "${node}" does more than keep a place`);
		Object.assign(found, posting(url));
	});
}

/** A copy of a workflow with a change to one of its nodes. */
export function withNode(workflow: Example, name: string, change: (node: INode) => void): Example {
	const copy = structuredClone(workflow);
	const node = copy.nodes.find((one) => one.name === name);
	if (!node) throw new Error(`The example "${workflow.name}" has no node "${name}"`);
	change(node);
	return copy;
}

/** What a webhook for a list of customers takes. */
export const customersOf = (vatNumbers: string[]) => ({
	customers: vatNumbers.map((vatNumber) => ({ vatNumber, name: `Company ${vatNumber}` })),
});

/** A workflow that gives the customers that its webhook receives to a sub-workflow, and replies with what comes back. */
export const callerOf = (workflowId: string, id: string) => {
	const workflowInputs = { mappingMode: 'defineBelow', value: {}, matchingColumns: [], schema: [] };
	const parameters = { workflowId: { __rl: true, mode: 'list', value: workflowId }, workflowInputs, mode: 'once', options: {} };
	return chain({
		id,
		name: `Call ${workflowId}`,
		start: webhook(id),
		nodes: [
			{ name: 'Items', type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters: { fieldToSplitOut: 'body.customers' } },
			{ name: 'Call', type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.3, parameters },
		],
	}) as unknown as Example;
};

/** An HTTP Request node that posts each item to an address. */
export function posting(url: string, jsonBody = '={{ JSON.stringify($json) }}') {
	const parameters = { method: 'POST', url, sendBody: true, specifyBody: 'json', jsonBody, options: {} };
	return { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters };
}
