import type { IExecutePaginationFunctions, IWorkflowExecuteAdditionalData, WorkflowExecuteMode } from 'n8n-workflow';

import { CREDENTIAL_TYPE, readCredential, type VoiceAdminCredential } from '../transport/auth/credential';

/** Something in an expression that may differ from item to item: all that n8n knows but these. */
const READS_ITEM = /\$(?!(?:secrets|vars|env|execution|workflow)\b)/;

/** What n8n's contexts have (2.8 to 2.41) and their types do not show. */
interface Internals {
	additionalData?: IWorkflowExecuteAdditionalData;
	mode?: WorkflowExecuteMode;
}

/**
 * The credential of each item of a node run. It is read once for all, as n8n would read and decrypt it for every
 * request; but for each item where an expression in it may give each another key.
 */
export class ItemCredentials {
	private first?: Promise<VoiceAdminCredential>;

	private varies?: Promise<boolean>;

	/** @throws InvalidCredentialError; n8n's error when there is no credential */
	async of(context: IExecutePaginationFunctions): Promise<VoiceAdminCredential> {
		if (!this.first) return await (this.first = readCredential(context));
		this.varies ??= variesByItem(context);
		return await ((await this.varies) ? readCredential(context) : this.first);
	}
}

/**
 * Whether a field of the stored credential is an expression that may read the item; true, too, where n8n does not let it
 * be read. A decrypted credential does not tell, as n8n has resolved its expressions.
 */
async function variesByItem(context: IExecutePaginationFunctions & Internals): Promise<boolean> {
	const { additionalData, mode = 'trigger' } = context;
	const stored = context.getNode().credentials?.[CREDENTIAL_TYPE];
	if (!additionalData || !stored) return true;
	const fields = await additionalData.credentialsHelper.getDecrypted(additionalData, stored, CREDENTIAL_TYPE, mode, undefined, true).catch(() => undefined);
	return fields === undefined || Object.values(fields).some((value) => typeof value === 'string' && value.startsWith('=') && READS_ITEM.test(value));
}
