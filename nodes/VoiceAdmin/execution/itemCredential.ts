import type { FunctionsBase } from 'n8n-workflow';

import { readCredential, type VoiceAdminCredential } from '../transport/auth/credential';
import { storedCredentialFields } from '../transport/n8nInternals';

/** What n8n lends a run to read its node's credential. */
export type CredentialContext = Pick<FunctionsBase, 'getCredentials' | 'getNode'>;

/** Something in an expression that may differ from item to item: all that n8n knows but these. */
const READS_ITEM = /\$(?!(?:secrets|vars|env|execution|workflow)\b)/;

/**
 * The credential of each item of a node run. It is read once for all, as n8n would read and decrypt it for every
 * request; but for each item where an expression in it may give each another key.
 */
export class ItemCredentials {
	private first?: Promise<VoiceAdminCredential>;

	private varies?: Promise<boolean>;

	constructor(private readonly context: CredentialContext) {}

	/** @throws InvalidCredentialError; n8n's error when there is no credential */
	async of(item: number): Promise<VoiceAdminCredential> {
		if (!this.first) return await (this.first = readCredential(this.context, item));
		this.varies ??= this.variesByItem();
		return await ((await this.varies) ? readCredential(this.context, item) : this.first);
	}

	/** Whether a field of the stored credential is an expression that may read the item; true, too, where that is not known. */
	private async variesByItem(): Promise<boolean> {
		const fields = await storedCredentialFields(this.context);
		return fields === undefined || fields.some((value) => typeof value === 'string' && value.startsWith('=') && READS_ITEM.test(value));
	}
}
