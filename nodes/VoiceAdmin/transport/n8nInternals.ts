import type { IExecuteFunctions, INode, IWorkflowExecuteAdditionalData, WorkflowExecuteMode } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from './auth/credential';

// Undocumented parts of n8n, each tested in n8n 2.8.4, 2.41.1 and versions between them.

/** Whether a node is n8n's tool variant of it; n8n checks this in the same way. */
export function isTool(node: INode): boolean {
	return node.type.endsWith('Tool');
}

/**
 * An object that all Retry On Fail tries of a run share: n8n's execute data, or the arguments of a tool call outside its
 * engine (agents before version 3, MCP Server Trigger), whose execute data are the caller's.
 */
export function runKey(context: IExecuteFunctions): object {
	return context.isToolExecution() ? context.getInputData()[0]!.json : context.getExecuteData();
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
