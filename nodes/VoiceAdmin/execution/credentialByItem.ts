import type { IExecutePaginationFunctions, IWorkflowExecuteAdditionalData, WorkflowExecuteMode } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../transport/auth/credential';
import type { Requester } from '../transport/requester';

/** Something in an expression that may differ from item to item: all that n8n knows but these, which do not. */
const READS_ITEM = /\$(?!(?:secrets|vars|env|execution|workflow)\b)/;

/** What n8n's contexts have (2.8 to 2.41) and their types keep back. */
interface Internals {
	additionalData?: IWorkflowExecuteAdditionalData;
	mode?: WorkflowExecuteMode;
}

/**
 * Whether items may have different keys: a field of the stored credential is an expression that may read the item.
 * A decrypted credential does not tell, as n8n has resolved its expressions.
 *
 * @param requester an item's
 * @returns true, too, where n8n does not let the stored credential be read
 */
export async function variesByItem(requester: Requester): Promise<boolean> {
	const { additionalData, mode = 'trigger', getNode } = requester as Requester & Internals & Partial<Pick<IExecutePaginationFunctions, 'getNode'>>;
	const stored = getNode?.call(requester).credentials?.[CREDENTIAL_TYPE];
	if (!additionalData || !stored) return true;
	const fields = await additionalData.credentialsHelper.getDecrypted(additionalData, stored, CREDENTIAL_TYPE, mode, undefined, true).catch(() => undefined);
	return fields === undefined || Object.values(fields).some((value) => typeof value === 'string' && value.startsWith('=') && READS_ITEM.test(value));
}
