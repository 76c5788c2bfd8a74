import { joinSentences } from '../../text';
import { type Entry, nameOf, outcomeOf } from './entry';

/**
 * Says what a stopped run has done, complete in a few words, and names what it may have done.
 * @param isOther whether what may have been done is to be named
 * @returns "Created before the run stopped, counted from 0: items 0 to 599, 601" and so on; '' for nothing
 */
export function describeEntries(
	items: Record<number, Entry[]>,
	isOther: (itemIndex: number, entry: Entry) => boolean,
): string {
	const all = Object.entries(items).map(([key, entries]) => ({ itemIndex: Number(key), entries }));
	const isDone = ({ result }: Entry) => outcomeOf(result) === 'done';
	const whole = all.filter(({ entries }) => entries.every(isDone)).map(({ itemIndex }) => itemIndex);
	const parts = all.flatMap(({ itemIndex, entries }) => {
		const done = entries.flatMap((entry, index) => (isDone(entry) ? [index] : []));
		const isPart = done.length > 0 && done.length < entries.length;
		return isPart ? [`of item ${itemIndex}, ${rangesOf('request', done)} of ${entries.length}`] : [];
	});
	const unknown = all.flatMap(({ itemIndex, entries }) =>
		entries
			.filter((entry) => outcomeOf(entry.result) === 'unknown' && isOther(itemIndex, entry))
			.map(({ request }) => `${nameOf(request)} (item ${itemIndex})`),
	);
	const done = [...(whole.length > 0 ? [rangesOf('item', whole)] : []), ...parts].join('; ');
	const [created, mayBeCreated] =
		all[0]?.entries[0]?.request.creates === undefined
			? ['Done', 'May have been done']
			: ['Created', 'May have been created'];
	return joinSentences([
		done === ''
			? ''
			: `${created} before the run stopped, counted from 0: ${done}. A new execution sends them again: first take them out of its input`,
		unknown.length === 0 ? '' : `${mayBeCreated} before the run stopped: ${unknown.join('; ')}`,
	]);
}

/** "items 0 to 599, 601" */
function rangesOf(noun: string, numbers: number[]): string {
	const ranges: Array<[from: number, to: number]> = [];
	for (const each of numbers) {
		const last = ranges.at(-1);
		if (last?.[1] === each - 1) last[1] = each;
		else ranges.push([each, each]);
	}
	const texts = ranges.map(([from, to]) => (from === to ? from : `${from} to ${to}`));
	return `${noun}${numbers.length === 1 ? '' : 's'} ${texts.join(', ')}`;
}
