import type { IDataObject } from 'n8n-workflow';

import {
	changedFields,
	MAX_SNAPSHOT_LENGTH,
	type Snapshot,
	takeSnapshot,
} from '../../nodes/VoiceAdmin/trigger/changedFields';

/** A gateway whose snapshot has so many characters, one more than fit unless told. */
const large = (length = MAX_SNAPSHOT_LENGTH + 1): IDataObject => {
	const gateway = { id: '1', notes: '' };
	return { ...gateway, notes: 'n'.repeat(length - JSON.stringify(Object.entries(gateway)).length) };
};

describe('a snapshot', () => {
	test('has the fields that are watched and have a value, sorted by name', () => {
		const gateway = { type: 'pbx', 'a b': 0, name: '', terminationUri: null, id: false };
		expect(takeSnapshot(gateway, 'all')).toEqual([
			['a b', 0],
			['id', false],
			['name', ''],
			['type', 'pbx'],
		]);
		expect(takeSnapshot(gateway, ['type', 'name', 'terminationUri'])).toEqual([
			['name', ''],
			['type', 'pbx'],
		]);
	});

	test('has digests in place of values from 10,001 characters on', () => {
		expect(takeSnapshot(large(10_000), 'all')).toEqual(Object.entries(large(10_000)));
		expect(takeSnapshot(large(10_001), 'all')).toEqual([
			['id', null, expect.stringMatching(/^.{16}$/)],
			['notes', null, expect.stringMatching(/^.{16}$/)],
		]);
	});

	test('is none where the digests have more than 10,000 characters', () => {
		const fields = (count: number) =>
			Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${1_000 + index}`, 'x'.repeat(100)]));
		// An entry has 34 characters: ["f1000",null,"0123456789abcdef"],
		expect(takeSnapshot(fields(294), 'all')).toHaveLength(294);
		expect(takeSnapshot(fields(295), 'all')).toBeUndefined();
	});
});

/** What has changed since a snapshot. */
const changesOf = (before: Snapshot | undefined, after: IDataObject | null) =>
	changedFields(before, after && takeSnapshot(after, 'all')!, after);

describe('a change', () => {
	test.each<[string, object | null | undefined, object | null, object | undefined]>([
		['to one that appears without fields', null, {}, {}],
		['to one that is first seen and not there', undefined, null, {}],
		['is none where it stays away', null, null, undefined],
	])('%s', (_name, before, after, changed) => {
		expect(changesOf(before && takeSnapshot(before as IDataObject, 'all'), after as IDataObject | null)).toEqual(
			changed,
		);
	});

	test('of a gateway that was too large to keep says that it was not kept', () => {
		const notKept = 'not kept: the watched fields have more than 10000 characters';
		expect(changesOf(takeSnapshot(large(), 'all'), { id: '2', name: 'A' })).toEqual({
			id: { from: notKept, to: '2' },
			notes: { from: notKept, to: null },
			name: { from: null, to: 'A' },
		});
		expect(changesOf(takeSnapshot(large(), 'all'), large())).toBeUndefined();
	});
});
