import { DirectoryLoader, type ExecuteContext, RoutingNode } from 'n8n-core';
import type { INodeType, INodeTypes } from 'n8n-workflow';

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
