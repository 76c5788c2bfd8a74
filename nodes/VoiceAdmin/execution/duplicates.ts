import { failureOfError, withRequest } from '../transport/failure';
import type { ApiRequest } from '../transport/request';
import { credentialReader } from './itemCredential';
import { type CheckedItem, type Failed, isValid, type RunContext } from './sendItems';

/**
 * Refuses items that would create what an earlier item of the run creates with the same API key: more often a row listed
 * twice than two customers. @returns the items, with a failure in place of each of these
 */
export async function refuseDuplicates(context: RunContext, items: Array<CheckedItem | Failed>): Promise<Array<CheckedItem | Failed>> {
	const byKey = new Map<string, Array<{ item: number; request: ApiRequest }>>();
	for (const [item, candidate] of items.entries()) {
		if (!isValid(candidate) || candidate.options.allowDuplicates === true) continue;
		for (const request of candidate.requests) {
			if (request.deduplicationKey === undefined) continue;
			const same = byKey.get(request.deduplicationKey) ?? [];
			byKey.set(request.deduplicationKey, same);
			same.push({ item, request });
		}
	}
	const credentialOf = credentialReader(context);
	const result = [...items];
	for (const same of byKey.values()) {
		if (same.length === 1) continue;
		const first = new Map<string, number>();
		for (const { item, request } of same) {
			// An item whose credential can't be read fails by itself.
			const { fingerprint } = await credentialOf(item).catch(() => ({ fingerprint: `item ${item}` }));
			const before = first.get(fingerprint);
			if (before === undefined) first.set(fingerprint, item);
			else result[item] = { failure: withRequest(request, failureOfError(duplicateOf(before, request), 'invalid_parameter')) };
		}
	}
	return result;
}

function duplicateOf(before: number, { creates }: ApiRequest): Error {
	const wrong = `Item ${before} of this run (counted from 0) already creates the ${creates}`;
	return Object.assign(new Error(wrong), { description: "Remove one of the two. If both are meant, add the option 'Allow Duplicate VAT Numbers'" });
}
