import type { FunctionsBase } from 'n8n-workflow';

import { readCredential, type VoiceAdminCredential } from '../transport/auth/credential';
import { storedCredentialFields } from '../transport/n8nInternals';

/** What reading the node's credential needs of n8n's context. */
export type CredentialContext = Pick<FunctionsBase, 'getCredentials' | 'getNode'>;

/** Something in an expression that may differ from item to item: all that n8n knows but these. */
const MAY_READ_ITEM = /\$(?!(?:secrets|vars|env|execution|workflow)\b)/;

/**
 * Gives a function that reads an item's credential. It is read once for all items, unless an expression in it may give items
 * different keys. @returns a function that throws InvalidCredentialError, or n8n's error where there is no credential
 */
export function credentialReader(context: CredentialContext): (item: number) => Promise<VoiceAdminCredential> {
	let first: Promise<VoiceAdminCredential> | undefined;
	let varies: Promise<boolean> | undefined;
	return async (item) => {
		if (!first) return await (first = readCredential(context, item));
		varies ??= variesByItem(context);
		return await ((await varies) ? readCredential(context, item) : first);
	};
}

/** Whether a field of the stored credential is an expression that may read the item; true, too, where that is not known. */
async function variesByItem(context: CredentialContext): Promise<boolean> {
	const fields = await storedCredentialFields(context);
	return fields === undefined || fields.some((value) => typeof value === 'string' && value.startsWith('=') && MAY_READ_ITEM.test(value));
}
