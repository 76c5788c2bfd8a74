import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../json';

/** In characters. For a larger gateway, the trigger knows that a field changed, but not its old value. */
export const MAX_SNAPSHOT_LENGTH = 10_000;

/** In base64 characters: 96 bits rule out collisions by chance. */
const DIGEST_LENGTH = 16;

/**
 * What the trigger stores of a gateway: its watched fields with a value (for a large one, null and a digest instead of each value); null
 * if it doesn't exist.
 */
export type Snapshot = Array<[name: string, value: unknown, digest?: string]> | null;

/**
 * Takes a snapshot.
 * @returns undefined if there are too many fields to store even their digests
 */
export function takeSnapshot(gateway: IDataObject, fields: 'all' | string[]): Snapshot | undefined {
	// Sorted: another order is no change, but would be written to the database.
	const values = watchedValues(gateway, fields).sort(byName);
	if (isStorable(values)) return values;
	const digests = values.map(([name, value]): [string, null, string] => [name, null, digestOf(value)]);
	return isStorable(digests) ? digests : undefined;
}

/**
 * The fields that differ between two snapshots, with their old and new values, null for none.
 * @param gateway the current one, whose values are known whatever its size @returns undefined if nothing changed
 */
export function changedFields(
	before: Snapshot | undefined,
	after: Snapshot,
	gateway: IDataObject | null,
): Record<string, { from: unknown; to: unknown }> | undefined {
	const [old, current, values] = [
		snapshotFields(before),
		snapshotFields(after),
		new Map(Object.entries(gateway ?? {})),
	];
	const changed = [...new Set([...old.keys(), ...current.keys()])].filter(
		(name) => old.get(name)?.digest !== current.get(name)?.digest,
	);
	const isSamePresence = before !== undefined && (before === null) === (after === null);
	if (changed.length === 0 && isSamePresence) return undefined;
	return Object.fromEntries(
		changed.map((name) => [name, { from: old.get(name)?.value ?? null, to: values.get(name) ?? null }]),
	);
}

const NOT_KEPT = `not kept: the watched fields have more than ${MAX_SNAPSHOT_LENGTH} characters`;

/** By name: digests to compare, and values to show. */
function snapshotFields(snapshot: Snapshot | undefined): Map<string, { digest: string; value: unknown }> {
	return new Map(
		snapshot?.map(([name, value, digest]) => [
			name,
			digest === undefined ? { digest: digestOf(value), value } : { digest, value: NOT_KEPT },
		]),
	);
}

/** Names and values of the fields that are compared: a null field counts as missing, as the API uses both for "none". */
export function watchedValues(gateway: IDataObject, fields: 'all' | string[]): Array<[string, unknown]> {
	return Object.entries(gateway).filter(
		([name, value]) => value !== null && (fields === 'all' || fields.includes(name)),
	);
}

function isStorable(fields: Snapshot): boolean {
	return JSON.stringify(fields).length <= MAX_SNAPSHOT_LENGTH;
}

function digestOf(value: unknown): string {
	return createHash('sha256').update(comparable(value)).digest('base64').slice(0, DIGEST_LENGTH);
}

/** The same text for values without a change: in whatever order properties and elements are, and whether null or missing. */
function comparable(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(comparable).sort().join()}]`;
	if (!isObject(value)) return JSON.stringify(value);
	const properties = watchedValues(value, 'all').sort(byName);
	return `{${properties.map(([name, each]) => `${JSON.stringify(name)}:${comparable(each)}`).join()}}`;
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
	return one < other ? -1 : 1;
}
