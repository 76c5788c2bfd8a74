import type { IExecuteFunctions, INode, IWorkflowExecuteAdditionalData, WorkflowExecuteMode } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from './auth/credential';

// Undocumented parts of n8n, each tested in n8n 2.8.4, 2.41.1 and versions between them.

/** Whether a node is n8n's tool variant of it; n8n checks this in the same way. */
export function isTool(node: INode): boolean {
	return node.type.endsWith('Tool');
}

/** Of a tool call outside n8n's engine, by the model's arguments: one object for all Retry On Fail tries. */
const toolCalls = new WeakMap<object, object>();

/**
 * Where a node keeps something of its run, and what identifies the run. n8n stores it with an execution that fails, and
 * hands it to the node again when a person retries that. A tool call outside its engine (agents before version 3, MCP Server
 * Trigger) is a run of its own.
 */
export function runStore(context: IExecuteFunctions): { store: object; run: string } {
	if (!context.isToolExecution())
		return { store: context.getContext('node'), run: String(context.getWorkflowDataProxy(0).$runIndex) };
	const { json } = context.getInputData()[0]!;
	const store = toolCalls.get(json) ?? {};
	toolCalls.set(json, store);
	return { store, run: '' };
}

/** Where all nodes keep something of an execution. A call by n8n's MCP Server Trigger has no execution. */
export function executionStore(context: IExecuteFunctions): object {
	if (!context.isToolExecution()) return context.getContext('flow');
	try {
		return context.getContext('flow');
	} catch {
		return {};
	}
}

/**
 * The stored fields of a node's credential, with unresolved expressions, which a decrypted credential no longer has.
 * @returns undefined if n8n doesn't allow reading them
 */
export async function storedCredentialFields(context: { getNode: () => INode }): Promise<unknown[] | undefined> {
	// Contexts have these, though their types don't show them.
	const { additionalData, mode = 'trigger' } = context as {
		additionalData?: IWorkflowExecuteAdditionalData;
		mode?: WorkflowExecuteMode;
	};
	const stored = context.getNode().credentials?.[CREDENTIAL_TYPE];
	if (!additionalData || !stored) return undefined;
	const fields = await additionalData.credentialsHelper
		.getDecrypted(additionalData, stored, CREDENTIAL_TYPE, mode, undefined, true)
		.catch(() => undefined);
	return fields && Object.values(fields);
}
