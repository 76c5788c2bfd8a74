import { failureOfError, withRequestDetails } from '../transport/failure';
import type { ApiRequest } from '../transport/apiRequest';
import { type CheckedItem, isValid } from './checkedItem';
import type { CredentialReader } from './itemCredential';

/**
 * Rejects items that would create what an earlier item of the run creates with the same API key: probably a row listed twice.
 * @returns the items, with a failure in place of each duplicate
 */
export async function rejectDuplicates(credentialOf: CredentialReader, items: CheckedItem[]): Promise<CheckedItem[]> {
	const creatorsByKey = new Map<string, Array<{ itemIndex: number; request: ApiRequest }>>();
	for (const [itemIndex, item] of items.entries()) {
		if (!isValid(item) || item.options.allowDuplicates === true) continue;
		for (const request of item.requests) {
			if (request.deduplicationKey === undefined) continue;
			const creators = creatorsByKey.get(request.deduplicationKey) ?? [];
			creatorsByKey.set(request.deduplicationKey, creators);
			creators.push({ itemIndex, request });
		}
	}
	const result = [...items];
	for (const creators of creatorsByKey.values()) {
		if (creators.length === 1) continue;
		const firstItemByApiKey = new Map<string, number>();
		for (const { itemIndex, request } of creators) {
			// An item whose credential can't be read fails later, on its own.
			const { fingerprint } = await credentialOf(itemIndex).catch(() => ({ fingerprint: `item ${itemIndex}` }));
			const firstItem = firstItemByApiKey.get(fingerprint);
			if (firstItem === undefined) firstItemByApiKey.set(fingerprint, itemIndex);
			else result[itemIndex] = { failure: withRequestDetails(request, failureOfError(duplicateError(firstItem, request), 'invalid_parameter')) };
		}
	}
	return result;
}

function duplicateError(firstItem: number, { creates }: ApiRequest): Error {
	const wrong = `Item ${firstItem} of this run (counted from 0) already creates the ${creates}`;
	return Object.assign(new Error(wrong), { description: "Remove one of the two. If both are meant, add the option 'Allow Duplicate VAT Numbers'" });
}
