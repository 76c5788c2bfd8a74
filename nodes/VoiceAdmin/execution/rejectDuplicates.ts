import { failureOfError, withRequestDetails } from '../transport/failure';
import type { ApiRequest } from '../transport/apiRequest';
import { type CheckedItem, isValid } from './checkedItem';
import type { CredentialReader } from './itemCredential';
import type { RunHistory } from './history/runHistory';

/**
 * Rejects items that would create what another item of the run creates with the same API key: probably a row listed twice. The first item
 * counts, or one that has created it in an earlier try.
 * @returns the items, with a failure in place of each duplicate
 */
export async function rejectDuplicates(
	credentialOf: CredentialReader,
	items: CheckedItem[],
	history: RunHistory,
): Promise<CheckedItem[]> {
	if (
		!items.some((item) => isValid(item) && item.requests.some(({ deduplicationKey }) => deduplicationKey !== undefined))
	)
		return items;
	const settled = history.settledCreates;
	const settledItems = new Set(settled.map(({ itemIndex }) => itemIndex));
	const planned = items.flatMap((item, itemIndex) =>
		isValid(item) && !settledItems.has(itemIndex) ? item.requests.map((request) => ({ itemIndex, request })) : [],
	);
	const creatorsByKey = new Map<string, Array<{ itemIndex: number; request: ApiRequest }>>();
	for (const each of [...settled, ...planned]) {
		const { deduplicationKey } = each.request;
		const item = items[each.itemIndex];
		if (deduplicationKey === undefined || (item && isValid(item) && item.options.allowDuplicates)) continue;
		const creators = creatorsByKey.get(deduplicationKey) ?? [];
		creatorsByKey.set(deduplicationKey, creators);
		creators.push(each);
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
			else
				result[itemIndex] = {
					failure: withRequestDetails(request, failureOfError(duplicateError(firstItem, request), 'invalid_parameter')),
				};
		}
	}
	return result;
}

function duplicateError(firstItem: number, { creates }: ApiRequest): Error {
	const wrong = `Item ${firstItem} of this run (counted from 0) would also create the ${creates}`;
	return Object.assign(new Error(wrong), {
		description:
			"Remove one of the two. If both are meant, add the option 'Allow Duplicate VAT Numbers' and turn it on: it allows all duplicates of the run",
	});
}
