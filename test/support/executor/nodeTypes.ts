import { DirectoryLoader, ExecuteContext } from 'n8n-core';
import {
	createRunExecutionData,
	type ICredentialsHelper,
	type INode,
	type INodeType,
	type INodeTypes,
	type IWorkflowExecuteAdditionalData,
	type Workflow,
} from 'n8n-workflow';

/** What of n8n's helper for credentials n8n-core calls for the node. */
type Credentials = Partial<ICredentialsHelper>;

/** Loads a node as n8n's loader does: it adds Request Options to one that its routing executor would run. */
export function loaded(nodeType: INodeType): INodeType {
	DirectoryLoader.applyDeclarativeNodeOptionParameters(nodeType);
	return nodeType;
}

/** Node types by the names that nodes have as their `type`. */
export function nodeTypesOf(types: Record<string, INodeType>): INodeTypes {
	const nodeType = (name: string) => types[name]!;
	return { getByName: nodeType, getByNameAndVersion: nodeType, getKnownTypes: () => ({}) };
}

/** A node with the credential. */
export function nodeOf(name: string, type: string, more: Partial<INode> = {}): INode {
	const credentials = { voiceAdminApi: { id: '1', name: 'Voice Admin' } };
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {}, credentials, ...more };
}

// n8n (2.16 and newer) parses these for every expression, though nothing is sent to them.
const URLS = {
	restApiUrl: '',
	instanceBaseUrl: 'http://n8n.invalid/',
	webhookWaitingBaseUrl: 'http://n8n.invalid/webhook-waiting',
	formWaitingBaseUrl: 'http://n8n.invalid/form-waiting',
};

/** What n8n gives an execution or a poll, without what is for sub-workflows, code nodes and AI. */
export function additionalDataOf(credentialsHelper: Credentials, more: object = {}): IWorkflowExecuteAdditionalData {
	const data = { credentialsHelper, currentNodeExecutionIndex: 0, variables: {}, ...URLS, ...more };
	return data as unknown as IWorkflowExecuteAdditionalData;
}

/** n8n's context in which a node runs, with so many empty items. */
export function contextOf(
	workflow: Workflow,
	node: INode,
	store: Credentials,
	mode: 'manual' | 'trigger',
	items = 1,
): ExecuteContext {
	const input = Array.from({ length: items }, () => ({ json: {} }));
	const data = { main: [input] };
	const additionalData = additionalDataOf(store, { executionId: '1' });
	return new ExecuteContext(
		workflow,
		node,
		additionalData,
		mode,
		createRunExecutionData(),
		0,
		input,
		data,
		{ node, data, source: null },
		[],
	);
}
