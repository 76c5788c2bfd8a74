import type { IDataObject, INode } from 'n8n-workflow';
import { readExamples } from '../../../scripts/demo/examples.mts';
import { chainNodes, createWebhook } from '../../../scripts/n8n/workflow.mts';
import type { WorkflowNode } from './workflow.mts';

/** A workflow of examples/, as it is in its file, with the id by which n8n shall know it. */
export interface Example extends IDataObject {
	id: string;
	name: string;
	nodes: INode[] & IDataObject[];
}

/** Reads a workflow of examples/. @param file name without `.json`, which is the id of one that has none */
export const readExample = (file: string): Example => readExamples().get(file) as unknown as Example;

/**
 * A workflow whose forms and webhooks anybody may call: a credential for them would be one of n8n's users, and a test is none.
 * @param formAt the id of a variant, which is also where its form is
 */
export function withoutLogin(workflow: Example, formAt?: string): Example {
	const copy = { ...structuredClone(workflow), id: formAt ?? workflow.id };
	for (const node of copy.nodes.filter(({ type }) => /\.(formTrigger|webhook)$/.test(type))) {
		node.parameters.authentication = 'none';
		if (formAt)
			Object.assign(node, { webhookId: formAt }).parameters.options = {
				...(node.parameters.options as object),
				path: formAt,
			};
	}
	return copy;
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

/** A node without its name: it gives an item for each customer that a webhook has received. */
export const CUSTOMERS = {
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'body.customers' },
};

/** A workflow that calls a sub-workflow with what one node makes of what its webhook receives, and replies with what comes back. */
export function callerOf(workflowId: string, id: string, node: Omit<WorkflowNode, 'name'> = CUSTOMERS): Example {
	const workflowInputs = { mappingMode: 'defineBelow', value: {}, matchingColumns: [], schema: [] };
	const parameters = {
		workflowId: { __rl: true, mode: 'list', value: workflowId },
		workflowInputs,
		mode: 'once',
		options: {},
	};
	const call = { name: 'Call', type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.3, parameters };
	return chainNodes({
		id,
		name: `Call ${workflowId}`,
		start: createWebhook(id),
		nodes: [{ name: 'Input', ...node }, call],
	}) as unknown as Example;
}

/** An HTTP Request node that posts each item to an address. */
export function posting(url: string, jsonBody = '={{ JSON.stringify($json) }}') {
	const parameters = { method: 'POST', url, sendBody: true, specifyBody: 'json', jsonBody, options: {} };
	return { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters };
}
