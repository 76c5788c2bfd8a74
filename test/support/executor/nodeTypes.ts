import { DirectoryLoader, ExecuteContext, RoutingNode } from 'n8n-core';
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

/**
 * Loads a declarative node as n8n's loader and server do (2.8 to 2.41): adds Request Options (batching, time-out, proxy and
 * TLS), and an `execute` only to a node that n8n counts as declarative. Without one, n8n-core runs the node in a way made
 * for its own tests, which cannot be cancelled.
 */
export function loaded(nodeType: INodeType): INodeType {
	DirectoryLoader.applyDeclarativeNodeOptionParameters(nodeType);
	// `shouldAssignExecuteMethod` of n8n's server.
	const isDeclarative = nodeType.description.requestDefaults !== undefined;
	const { execute, poll, trigger, webhook, methods } = nodeType;
	if (execute || poll || trigger || ((webhook || methods) && !isDeclarative)) return nodeType;
	nodeType.execute = async function (this) {
		return (await new RoutingNode(this as ExecuteContext, nodeType).runNode()) ?? [];
	};
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
