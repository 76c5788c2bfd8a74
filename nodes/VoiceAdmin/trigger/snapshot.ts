import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../json';

/** Longest snapshot of a gateway, in characters. Of a larger one the trigger knows that a field has changed, not what it was. */
export const MAX_SNAPSHOT_LENGTH = 10_000;

/** Characters of a digest: 96 bits, so that two different values do not share one by chance. */
const DIGEST_LENGTH = 16;

/**
 * What a trigger stores of a gateway: its watched fields that have a value; of one that is too large, null and a digest in
 * place of each value; or null for a gateway that is not there.
 */
export type Snapshot = Array<[name: string, value: unknown, digest?: string]> | null;

/**
 * Takes a snapshot of a gateway. A field that is null counts as missing: the API gives both for "none".
 * @returns undefined for a gateway with too many fields to store even their digests
 */
export function takeSnapshot(gateway: IDataObject, fields: 'all' | string[]): Snapshot | undefined {
	// Sorted: another order in the response is no change, and would be written to the database.
	const values = watchedValues(gateway, fields).sort(byName);
	if (isStorable(values)) return values;
	const digests = values.map(([name, value]): [string, null, string] => [name, null, digestOf(value)]);
	return isStorable(digests) ? digests : undefined;
}

const NOT_KEPT = `not kept: the watched fields have more than ${MAX_SNAPSHOT_LENGTH} characters`;

/** The fields of a snapshot by name: their digests, by which they are compared, and the values that an item shows. */
export function snapshotFields(snapshot: Snapshot | undefined): Map<string, { digest: string; value: unknown }> {
	return new Map(snapshot?.map(([name, value, digest]) => [name, digest === undefined ? { digest: digestOf(value), value } : { digest, value: NOT_KEPT }]));
}

export function watchedValues(gateway: IDataObject, fields: 'all' | string[]): Array<[string, unknown]> {
	return Object.entries(gateway).filter(([name, value]) => value !== null && (fields === 'all' || fields.includes(name)));
}

function isStorable(fields: Snapshot): boolean {
	return JSON.stringify(fields).length <= MAX_SNAPSHOT_LENGTH;
}

/** A digest of a JSON value, in whatever order the fields of its objects come. */
function digestOf(value: unknown): string {
	const sorted = (_name: string, each: unknown) => (isObject(each) ? Object.fromEntries(Object.entries(each).sort(byName)) : each);
	return createHash('sha256').update(JSON.stringify(value, sorted)).digest('base64').slice(0, DIGEST_LENGTH);
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
	return one < other ? -1 : 1;
}
