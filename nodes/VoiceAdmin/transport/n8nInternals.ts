import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, IExecutePaginationFunctions, INode, IWorkflowExecuteAdditionalData, WorkflowExecuteMode } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from './auth/credential';

// What is read from n8n's objects beyond their documented types; each is tested in n8n 2.8.4, 2.41.1 and versions between them.

/** Whether a node is the tool variant that n8n makes of it: n8n itself tells it by this. */
export function isTool(node: INode): boolean {
	return node.type.endsWith('Tool');
}

/** n8n's execute data: the same object for every Retry On Fail attempt at a node run, and gone when the execution is. */
export function nodeRunKey(context: IExecuteFunctions): object {
	return context.getExecuteData();
}

/**
 * The arguments of a tool call that n8n makes outside of its engine (agents before version 3, MCP Server Trigger): the
 * same object for every Retry On Fail attempt at the call. Such a call is given the execute data of its caller.
 */
export function toolCallKey(context: IExecutePaginationFunctions): object {
	return context.getInputData(0, NodeConnectionTypes.AiTool).json;
}

/**
 * The fields of a node's credential as they are stored, their expressions not resolved. A decrypted credential does not
 * tell. @returns undefined where n8n does not let them be read
 */
export async function storedCredentialFields(context: { getNode: () => INode }): Promise<unknown[] | undefined> {
	// What n8n's contexts have and their types do not show.
	const { additionalData, mode = 'trigger' } = context as { additionalData?: IWorkflowExecuteAdditionalData; mode?: WorkflowExecuteMode };
	const stored = context.getNode().credentials?.[CREDENTIAL_TYPE];
	if (!additionalData || !stored) return undefined;
	const fields = await additionalData.credentialsHelper.getDecrypted(additionalData, stored, CREDENTIAL_TYPE, mode, undefined, true).catch(() => undefined);
	return fields && Object.values(fields);
}
