import { type CheckedItem, isValid } from '../checkedItem';
import type { CredentialReader } from '../itemCredential';
import { recordedRequest } from './entry';
import type { RunHistory } from './runHistory';

/**
 * Rejects items that an earlier try, run or node of the execution has settled in another way: before anything is sent, so
 * that under Stop Workflow a person decides first.
 * @returns the items, with a failure in place of each such item
 */
export async function rejectSettled(
	credentialOf: CredentialReader,
	items: CheckedItem[],
	history: RunHistory,
): Promise<CheckedItem[]> {
	if (!history.hasSettled) return items;
	const reasonNotToSend = history.reasonsNotToSend();
	return await Promise.all(
		items.map(async (item, itemIndex) => {
			if (!isValid(item) || item.options.dryRun) return item;
			// An item whose credential can't be read fails later, on its own.
			const { account } = await credentialOf(itemIndex).catch(() => ({ account: undefined }));
			if (account === undefined) return item;
			const failures = item.requests.map((request, requestIndex) =>
				reasonNotToSend(
					[itemIndex, requestIndex],
					recordedRequest(request, account),
					item.options.allowDuplicates === true,
				),
			);
			const failure = failures.find((each) => each !== undefined);
			return failure ? { failure } : item;
		}),
	);
}
