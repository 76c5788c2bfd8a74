import type { INode, INodeParameters } from 'n8n-workflow';

import { chain, type WorkflowNode } from '../../../scripts/n8n/workflow.mts';

const CALLED: WorkflowNode = { name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger', typeVersion: 1.1, parameters: { inputSource: 'passthrough' } };

interface SubWorkflow {
	/** Name of its Voice Admin node. */
	name: string;
	parameters: INodeParameters;
	/** Settings of that node. */
	settings?: Partial<INode>;
	/** Nodes before it; it gets the caller's items unless told. */
	before?: WorkflowNode[];
}

/** A node of a scenario that runs a sub-workflow with a Voice Admin node of the same credential, and is given what that node gives. */
export function subWorkflow(name: string, { name: called, parameters, settings, before = [] }: SubWorkflow) {
	const credentials = { voiceAdminApi: { id: 'CREDENTIAL', name } };
	const node = { name: called, type: 'n8n-nodes-voice-admin.voiceAdmin', typeVersion: 1, parameters, ...settings, credentials };
	const { nodes, connections } = chain({ id: '', name, start: CALLED, nodes: [...before, node] });
	// Without an id of its own: n8n has it run as a part of its caller.
	const workflowJson = JSON.stringify({ nodes, connections });
	return { name, type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2, parameters: { source: 'parameter', workflowJson, mode: 'once', options: {} } };
}
