import type { IDataObject } from 'n8n-workflow';

import { changedFields } from '../../nodes/VoiceAdmin/trigger/detectChanges';
import { MAX_CHARACTERS, takeSnapshot } from '../../nodes/VoiceAdmin/trigger/snapshot';

/** A gateway whose snapshot has so many characters, one more than fit unless told. */
const large = (length = MAX_CHARACTERS + 1, more: IDataObject = {}): IDataObject => {
	const gateway = { id: '1', notes: '' };
	return { ...gateway, notes: 'n'.repeat(length - JSON.stringify(Object.entries(gateway)).length), ...more };
};

/** The digest that is stored of a field of a large gateway. */
const digestOf = (value: unknown) => new Map((takeSnapshot(large(MAX_CHARACTERS + 1, { field: value as string }),
	'all') as { digests: Array<[string, string]> }).digests).get('field');

describe('a snapshot', () => {
	test('has the fields that are watched and have a value, sorted by name', () => {
		const gateway = { type: 'pbx', 'a b': 0, name: '', terminationUri: null, id: false };
		expect(takeSnapshot(gateway, 'all')).toEqual({ values: [['a b', 0], ['id', false], ['name', ''], ['type', 'pbx']] });
		expect(takeSnapshot(gateway, ['type', 'name', 'terminationUri'])).toEqual({ values: [['name', ''], ['type', 'pbx']] });
	});

	test('has digests in place of values from 10,001 characters on', () => {
		expect(takeSnapshot(large(10_000), 'all')).toEqual({ values: Object.entries(large(10_000)) });
		expect(takeSnapshot(large(10_001), 'all'))
			.toEqual({ digests: [['id', expect.stringMatching(/^.{16}$/)], ['notes', expect.stringMatching(/^.{16}$/)]] });
	});

	test('is none where the digests have more than 10,000 characters', () => {
		const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${1_000 + index}`, 'x'.repeat(100)]));
		// An entry has 29 characters: ["f1000","0123456789abcdef"],
		expect(takeSnapshot(fields(344), 'all')).toHaveProperty('digests');
		expect(takeSnapshot(fields(345), 'all')).toBeUndefined();
	});

	test('has the same digest whatever the order of fields in a value', () => {
		expect(digestOf({ a: 1, b: [{ c: null, d: 'x' }] })).toBe(digestOf({ b: [{ d: 'x', c: null }], a: 1 }));
	});

	test('has another digest for each value', () => {
		const values = [1, '1', true, 'true', '', 'null', [], {}, [1], [1, 2], [2, 1], [12], ['1,2'], [[1], 2], { a: 1 },
			{ b: 1 }, { a: 2 }, { a: 1, b: 1 }, { a: { b: 1 } }, { a: null }, { 'a":1,"b': 1 }];
		expect(new Set(values.map(digestOf)).size).toBe(values.length);
	});
});

describe('a change', () => {
	test.each<[string, object | null | undefined, object | null, object | undefined]>([
		['to one that appears without fields', null, {}, {}],
		['to one that is first seen and not there', undefined, null, {}],
		['is none where it stays away', null, null, undefined],
	])('%s', (_name, before, after, changed) => {
		const snapshot = before ? takeSnapshot(before as IDataObject, 'all') : (before as null | undefined);
		expect(changedFields(snapshot, after as IDataObject | null, 'all')).toEqual(changed);
	});

	test('of a gateway that was too large to keep says that it was not kept', () => {
		const notKept = 'not kept: the watched fields have more than 10000 characters';
		expect(changedFields(takeSnapshot(large(), 'all'), { id: '2', name: 'A' }, 'all')).toEqual({
			id: { from: notKept, to: '2' },
			notes: { from: notKept, to: null },
			name: { from: null, to: 'A' },
		});
		expect(changedFields(takeSnapshot(large(), 'all'), large(), 'all')).toBeUndefined();
	});
});
