import type { IExecuteFunctions, INode, IWorkflowExecuteAdditionalData, WorkflowExecuteMode } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from './auth/credential';

// Undocumented parts of n8n, each tested in n8n 2.8.4, 2.41.1 and versions between them.

/** Whether a node is n8n's tool variant of it; n8n checks this in the same way. */
export function isTool(node: INode): boolean {
	return node.type.endsWith('Tool');
}

/** Of tool calls without an execution, by their arguments: one object for all Retry On Fail tries. */
const toolCallContexts = new WeakMap<object, object>();

/**
 * Where a node keeps something in an execution: n8n stores it with one that fails, and hands it to the node again when a
 * person retries that. A call by n8n's MCP Server Trigger has no execution.
 */
export function nodeContext(context: IExecuteFunctions): object {
	try {
		return context.getContext('node');
	} catch {
		const { json } = context.getInputData()[0]!;
		const stored = toolCallContexts.get(json) ?? {};
		toolCallContexts.set(json, stored);
		return stored;
	}
}

/**
 * Identifies a run of the node in its execution, in all tries: by its number or, for a tool, whose calls have no order that
 * a retried execution repeats, by the model's arguments.
 */
export function runKey(context: IExecuteFunctions): string {
	if (isTool(context.getNode())) return JSON.stringify(context.getInputData().map(({ json }) => json));
	return String(context.getWorkflowDataProxy(0).$runIndex);
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
