import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isObjectOrArray } from '../json';

/** Longest snapshot of a gateway, in characters. Of a larger one the trigger knows that a field has changed, not what it was. */
export const MAX_CHARACTERS = 10_000;

/** Characters of a digest: 96 bits, so that two different values do not share one by chance. */
const DIGEST_CHARACTERS = 16;

/**
 * What a trigger stores of a gateway: its watched fields that have a value, by name; or, of one that is too large, a
 * digest of each; or null for a gateway that is not there.
 */
export type Snapshot = { values: Array<[name: string, value: unknown]> } | { digests: Array<[name: string, digest: string]> } | null;

/**
 * Takes a snapshot of a gateway. A field that is null counts as missing: the API gives both for "none".
 * @returns undefined for a gateway with too many fields to store even their digests
 */
export function takeSnapshot(gateway: IDataObject, fields: 'all' | string[]): Snapshot | undefined {
	// Sorted: another order in the response is no change, and would be written to the database.
	const values = watchedValues(gateway, fields).sort(([one], [other]) => (one < other ? -1 : 1));
	if (lengthOf(values) <= MAX_CHARACTERS) return { values };
	const digests = values.map(([name, value]): [string, string] => [name, digestOf(value)]);
	return lengthOf(digests) <= MAX_CHARACTERS ? { digests } : undefined;
}

const NOT_KEPT = `not kept: the watched fields have more than ${MAX_CHARACTERS} characters`;

/** The values of a snapshot's fields, by name. */
export function valuesOf(snapshot: Snapshot | undefined): Array<[string, unknown]> {
	if (!snapshot) return [];
	return 'values' in snapshot ? snapshot.values : snapshot.digests.map(([name]) => [name, NOT_KEPT]);
}

/** The digests of a snapshot's fields, by name. */
export function digestsOf(snapshot: Snapshot | undefined): Array<[string, string]> {
	if (!snapshot) return [];
	return 'digests' in snapshot ? snapshot.digests : snapshot.values.map(([name, value]) => [name, digestOf(value)]);
}

export function watchedValues(gateway: IDataObject, fields: 'all' | string[]): Array<[string, unknown]> {
	return Object.entries(gateway).filter(([name, value]) => value !== null && (fields === 'all' || fields.includes(name)));
}

/** Characters as they are stored. */
function lengthOf(stored: unknown): number {
	return JSON.stringify(stored).length;
}

export function digestOf(value: unknown): string {
	return createHash('sha256').update(canonicalJson(value)).digest('base64').slice(0, DIGEST_CHARACTERS);
}

/**
 * A JSON value as text that is the same for the same value, in whatever order the fields of its objects come.
 *
 * @param value as `JSON.parse` gives it
 */
function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
	if (!isObjectOrArray(value)) return JSON.stringify(value) ?? 'null';
	const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
	return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`;
}
