import type { IDataObject } from 'n8n-workflow';
import { isDeepStrictEqual } from 'node:util';

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

const given = (value: IDataObject) => new Map(Object.entries(value).filter(([, field]) => field !== null));

/** As n8n's database gives it back. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const changesOf = (before: IDataObject, after: IDataObject) =>
	changedFields(stored(takeSnapshot(before, 'all')), takeSnapshot(after, 'all')!, after);

test(`exactly the fields that differ are changes, with both values, and their order is none (${cases(CASES)})`, () => {
	fc.assert(
		fc.property(gateway, gateway, (before, after) => {
			const reversed = Object.fromEntries(Object.entries(before).reverse());
			expect(changesOf(before, reversed)).toBeUndefined();
			const changed = changesOf(before, after);
			const [from, to] = [given(before), given(after)];
			const names = [...new Set([...from.keys(), ...to.keys()])].filter(
				(name) => !isDeepStrictEqual(from.get(name), to.get(name)),
			);
			expect(Object.keys(changed ?? {}).sort()).toEqual(names.sort());
			expect(changed === undefined).toBe(names.length === 0);
			for (const [name, change] of Object.entries(changed ?? {}))
				expect(change).toEqual({ from: from.get(name) ?? null, to: to.get(name) ?? null });
		}),
		{ numRuns: CASES },
	);
});
