import { type CheckedItem, isFailed } from '../../nodes/VoiceAdmin/execution/checkedItem';
import { RunHistory } from '../../nodes/VoiceAdmin/execution/history/runHistory';
import { rejectDuplicates } from '../../nodes/VoiceAdmin/execution/rejectDuplicates';
import type { ApiRequest } from '../../nodes/VoiceAdmin/transport/apiRequest';

const request = (deduplicationKey?: string): ApiRequest => ({
	method: 'POST',
	path: '/x',
	fields: {},
	creates: 'customer',
	deduplicationKey,
});
const itemOf = (...keys: Array<string | undefined>) =>
	({ requests: keys.map(request), options: {} }) as unknown as CheckedItem;
/** Of each item, whether it is a duplicate. @param fingerprintOf of the item's API key, or an error */
async function duplicatesIn(items: CheckedItem[], fingerprintOf: (itemIndex: number) => string = () => 'key') {
	const credentialOf = async (itemIndex: number) => ({ fingerprint: fingerprintOf(itemIndex) }) as never;
	return (await rejectDuplicates(credentialOf, items, new RunHistory({}, {}, '0'))).map(isFailed);
}

test('requests without a key are never duplicates of each other', async () => {
	expect(await duplicatesIn([itemOf('1'), itemOf(undefined), itemOf(undefined), itemOf('1')])).toEqual([
		false,
		false,
		false,
		true,
	]);
});

test('two items whose credentials can not be read, or one of them, fail later on their own', async () => {
	const unreadable = (): never => {
		throw new Error('No credential');
	};
	expect(
		await duplicatesIn([itemOf('1'), itemOf('1'), itemOf('1')], (item) => (item === 0 ? 'key' : unreadable())),
	).toEqual([false, false, false]);
});
