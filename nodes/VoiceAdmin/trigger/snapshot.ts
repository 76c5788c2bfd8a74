import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { canonical } from './canonicalJson';

/** Most characters that are remembered of a gateway. Of one with more, the trigger can tell that a field has changed, not what it was. */
const MOST_CHARACTERS = 10_000;

/** Characters of a digest: 96 bits, as of the fields of one gateway no two are to be told apart by chance. */
const DIGEST_CHARACTERS = 16;

const NOT_KEPT = `not kept: the watched fields have more than ${MOST_CHARACTERS} characters`;

/**
 * What a trigger remembers of a gateway: its watched fields that have a value, by name; or, of one that is too
 * large, a digest of each; or null for a gateway that is not there.
 */
export type Snapshot = { values: Array<[name: string, value: unknown]> } | { digests: Array<[name: string, digest: string]> } | null;

/** A change of a field: what it was and what it is, null for nothing. */
export type FieldChange = { from: unknown; to: unknown };

/** A gateway that can be read, but not remembered. */
export class NotRememberedError extends Error {}

/**
 * Takes note of a gateway. A field that is null counts as one that is not there: the API gives both for "none".
 *
 * @throws NotRememberedError for one with more fields than can be told apart in the space; RangeError for one that
 * is nested too deep
 */
export function snapshotOf(gateway: IDataObject | null, fields: 'all' | string[]): Snapshot {
	if (gateway === null) return null;
	// In an order of their own: another one in the reply is no news, and would be written to the database.
	const values = watchedValues(gateway, fields).sort(([one], [other]) => (one < other ? -1 : 1));
	if (lengthOf(values) <= MOST_CHARACTERS) return { values };
	const digests = values.map(([name, value]): [string, string] => [name, digestOf(value)]);
	if (lengthOf(digests) <= MOST_CHARACTERS) return { digests };
	throw new NotRememberedError(`has ${values.length} fields with a value, more than can be remembered`);
}

/**
 * Fields by which a gateway differs from what was remembered; nothing was, where `before` is undefined.
 *
 * @param gateway one that a snapshot was taken of
 * @returns undefined when it is the same
 */
export function changesSince(
	before: Snapshot | undefined,
	gateway: IDataObject | null,
	fields: 'all' | string[],
): Record<string, FieldChange> | undefined {
	const known = new Map(before && 'digests' in before ? before.digests : (before?.values ?? []).map(([name, value]) => [name, digestOf(value)]));
	const from = new Map<string, unknown>(before && 'values' in before ? before.values : (before?.digests ?? []).map(([name]) => [name, NOT_KEPT]));
	const to = new Map(gateway === null ? [] : watchedValues(gateway, fields));
	const names = new Set([...known.keys(), ...to.keys()]);
	const changed = [...names].filter((name) => known.get(name) !== (to.has(name) ? digestOf(to.get(name)) : undefined));
	const isSamePresence = before !== undefined && (before === null) === (gateway === null);
	if (changed.length === 0 && isSamePresence) return undefined;
	return Object.fromEntries(changed.map((name) => [name, { from: from.get(name) ?? null, to: to.get(name) ?? null }]));
}

function watchedValues(gateway: IDataObject, fields: 'all' | string[]): Array<[string, unknown]> {
	return Object.entries(gateway).filter(([name, value]) => value !== null && (fields === 'all' || fields.includes(name)));
}

/** Characters as they are stored; without end for what has too many levels to be text. */
function lengthOf(stored: unknown): number {
	try {
		return JSON.stringify(stored).length;
	} catch {
		return Infinity;
	}
}

function digestOf(value: unknown): string {
	return createHash('sha256').update(canonical(value)).digest('base64').slice(0, DIGEST_CHARACTERS);
}
