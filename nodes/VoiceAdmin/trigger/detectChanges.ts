import type { IDataObject } from 'n8n-workflow';

import { digestOf, MAX_CHARACTERS, type Snapshot, watchedValues } from './snapshot';

/** What may have happened to a gateway between two polls. */
export const EVENTS = ['appeared', 'changed', 'disappeared'] as const;
export type GatewayEvent = (typeof EVENTS)[number];

const NOT_KEPT = `not kept: the watched fields have more than ${MAX_CHARACTERS} characters`;

/**
 * The fields by which a gateway (null for one that is not there) differs from its last snapshot (undefined where there is
 * none), with their values before and now, null for none. @returns undefined when it is the same
 */
export function detectChanges(
	before: Snapshot | undefined,
	gateway: IDataObject | null,
	fields: 'all' | string[],
): Record<string, { from: unknown; to: unknown }> | undefined {
	const known = new Map(before && 'digests' in before ? before.digests : (before?.values ?? []).map(([name, value]) => [name, digestOf(value)]));
	const from = new Map<string, unknown>(before && 'values' in before ? before.values : (before?.digests ?? []).map(([name]) => [name, NOT_KEPT]));
	const to = new Map(gateway === null ? [] : watchedValues(gateway, fields));
	const names = new Set([...known.keys(), ...to.keys()]);
	const changed = [...names].filter((name) => known.get(name) !== (to.has(name) ? digestOf(to.get(name)) : undefined));
	const isSamePresence = before !== undefined && (before === null) === (gateway === null);
	if (changed.length === 0 && isSamePresence) return undefined;
	return Object.fromEntries(changed.map((name) => [name, { from: from.get(name) ?? null, to: to.get(name) ?? null }]));
}
