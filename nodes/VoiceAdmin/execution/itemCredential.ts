import type { FunctionsBase } from 'n8n-workflow';

import { readCredential, type VoiceAdminCredential } from '../transport/auth/credential';
import { storedCredentialFields } from '../transport/n8nInternals';

type CredentialContext = Pick<FunctionsBase, 'getCredentials' | 'getNode'>;

/** Reads an item's credential. @throws NotSentError for an invalid one, or n8n's error if there is none */
export type CredentialReader = (itemIndex: number) => Promise<VoiceAdminCredential>;

/** Any n8n variable that may differ between items: all but these. */
const MAY_READ_ITEM = /\$(?!(?:secrets|vars|env|execution|workflow)\b)/;

/** Reads the credential once for all items, unless an expression in it may give items different keys. */
export function credentialReader(context: CredentialContext): CredentialReader {
	let first: Promise<VoiceAdminCredential> | undefined;
	let varies: Promise<boolean> | undefined;
	return async (itemIndex) => {
		if (!first) return await (first = readCredential(context, itemIndex));
		varies ??= variesByItem(context);
		return await ((await varies) ? readCredential(context, itemIndex) : first);
	};
}

/** Whether a stored field is an expression that may read the item; true if unknown. */
async function variesByItem(context: CredentialContext): Promise<boolean> {
	const fields = await storedCredentialFields(context);
	return (
		fields === undefined ||
		fields.some((value) => typeof value === 'string' && value.startsWith('=') && MAY_READ_ITEM.test(value))
	);
}
