import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../nodes/VoiceAdmin/json';
import { changedFields, takeSnapshot } from '../../nodes/VoiceAdmin/trigger/changedFields';
import { CASES, cases, fc } from './support';

/** JSON objects with few names and values, so that two of them often have some in common. */
const gateway = fc
	.dictionary(
		fc.constantFrom('id', 'name', 'terminationUri', 'x', '__proto__'),
		fc.oneof(fc.constantFrom(null, 'a', 1, 0, '', false), fc.jsonValue({ maxDepth: 2 })),
		{ noNullPrototype: true },
	)
	.map((value) => JSON.parse(JSON.stringify(value)) as IDataObject);

/** Whether two values have no difference that counts. */
function isSame(one: unknown, other: unknown): boolean {
	if (Array.isArray(one) && Array.isArray(other)) {
		const left = [...(other as unknown[])];
		for (const element of one) {
			const at = left.findIndex((each) => isSame(element, each));
			if (at === -1) return false;
			left.splice(at, 1);
		}
		return left.length === 0;
	}
	if (!isObject(one) || !isObject(other)) return Object.is(one, other) || (one === 0 && other === 0);
	const [from, to] = [given(one), given(other)];
	return [...new Set([...from.keys(), ...to.keys()])].every((name) => isSame(from.get(name), to.get(name)));
}

/** The same value in another order, with a null for what is missing. */
function reordered(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(reordered).reverse();
	if (!isObject(value)) return value;
	const entries = Object.entries(value).map(([name, each]): [string, unknown] => [name, reordered(each)]);
	return Object.fromEntries([['missing', null], ...entries.reverse()]);
}

const given = (value: IDataObject) => new Map(Object.entries(value).filter(([, field]) => field !== null));

/** As n8n's database gives it back. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const changesOf = (before: IDataObject, after: IDataObject) =>
	changedFields(stored(takeSnapshot(before, 'all')), takeSnapshot(after, 'all')!, after);

test(`exactly the fields that differ are changes, with both values; another order is none, nor is null for nothing (${cases(CASES)})`, () => {
	fc.assert(
		fc.property(gateway, gateway, (before, after) => {
			expect(changesOf(before, reordered(before) as IDataObject)).toBeUndefined();
			const changed = changesOf(before, after);
			const [from, to] = [given(before), given(after)];
			const names = [...new Set([...from.keys(), ...to.keys()])].filter(
				(name) => !isSame(from.get(name), to.get(name)),
			);
			expect(Object.keys(changed ?? {}).sort()).toEqual(names.sort());
			expect(changed === undefined).toBe(names.length === 0);
			for (const [name, change] of Object.entries(changed ?? {}))
				expect(change).toEqual({ from: from.get(name) ?? null, to: to.get(name) ?? null });
		}),
		{ numRuns: CASES },
	);
});
