import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INode,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { CREDENTIAL_TYPE } from './auth/credential';

// Undocumented parts of n8n, each tested in n8n 2.8.4, 2.41.1 and versions between them.

/** Whether a node is n8n's tool variant of it; n8n checks this in the same way. */
export function isTool(node: INode): boolean {
	return node.type.endsWith('Tool');
}

/** n8n's execute data: one object for all Retry On Fail tries of a node run, collected with the execution. */
export function nodeRunKey(context: IExecuteFunctions): object {
	return context.getExecuteData();
}

/**
 * The arguments of a tool call outside n8n's engine (agents before version 3, MCP Server Trigger): one object for all Retry On
 * Fail tries. Its execute data would not do: they are the caller's.
 */
export function toolCallKey(context: IExecutePaginationFunctions): object {
	return context.getInputData(0, NodeConnectionTypes.AiTool).json;
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
