import { joinSentences } from '../../text';
import { adviceBeforeResending } from '../../transport/failure';
import { type Entry, nameOf, outcomeOf } from './entry';

/**
 * Says what a stopped run has done, by ranges of items, and names what it has done of an item or may have done.
 * @param isOther whether what may have been done is to be named
 * @returns "Created before the run stopped: items 0 to 599, 601 (counted from 0)" and so on; '' for nothing
 */
export function describeEntries(
	items: Record<number, Entry[]>,
	isOther: (itemIndex: number, entry: Entry) => boolean,
): string {
	const all = Object.entries(items).map(([key, entries]) => ({ itemIndex: Number(key), entries }));
	const isDone = ({ result }: Entry) => outcomeOf(result) === 'done';
	const isWhole = ({ entries }: { entries: Entry[] }) => entries.every(isDone);
	const namesOf = (some: typeof all, isMeant: (entry: Entry, itemIndex: number) => boolean) =>
		some.flatMap(({ itemIndex, entries }) =>
			entries
				.filter((entry) => isMeant(entry, itemIndex))
				.map(({ request }) => `${nameOf(request)} (item ${itemIndex})`),
		);
	const whole = rangesOf(all.filter(isWhole).map(({ itemIndex }) => itemIndex));
	const inPart = all.filter((item) => !isWhole(item));
	const done = [...(whole === '' ? [] : [whole]), ...namesOf(inPart, isDone)].join('; ');
	const unknown = namesOf(
		all,
		(entry, itemIndex) => outcomeOf(entry.result) === 'unknown' && isOther(itemIndex, entry),
	);
	const creates = all[0]?.entries[0]?.request.creates !== undefined;
	const [created, mayBeCreated] = creates ? ['Created', 'May have been created'] : ['Done', 'May have been done'];
	return joinSentences([
		done === ''
			? ''
			: `${created} before the run stopped: ${done} (counted from 0). A new execution sends them again: first remove exactly these from its input`,
		unknown.length === 0
			? ''
			: `${mayBeCreated} before the run stopped: ${unknown.join('; ')}. ${adviceBeforeResending(creates, unknown.length)}`,
	]);
}

/** "items 0 to 599, 601"; '' for none */
function rangesOf(items: number[]): string {
	const ranges: Array<[from: number, to: number]> = [];
	for (const each of items) {
		const last = ranges.at(-1);
		if (last?.[1] === each - 1) last[1] = each;
		else ranges.push([each, each]);
	}
	const texts = ranges.map(([from, to]) => (from === to ? from : `${from} to ${to}`));
	return texts.length === 0 ? '' : `item${items.length === 1 ? '' : 's'} ${texts.join(', ')}`;
}
