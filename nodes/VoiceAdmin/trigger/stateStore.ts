import type { IDataObject } from 'n8n-workflow';

import type { Snapshot } from './changedFields';

/** Of the stored format. The trigger starts over if it finds another version. */
const VERSION = 1;

/** What the trigger remembers between polls. */
export interface State {
	/** By gateway ID. */
	snapshots: Map<string, Snapshot>;
	/** Whether the poll found none of the gateways, which the next poll has to confirm. */
	isUnconfirmed: boolean;
}

/**
 * Reads the state after the last poll; empty before the first. It is one text in the node's static data, which n8n
 * stores with the workflow: n8n would observe an object field by field, which is slow and loses names such as
 * `__proto__`, and a text is replaced atomically.
 * @param scope service, organization and fields; the state of another scope is ignored
 */
export function readState(staticData: IDataObject, scope: unknown): State {
	try {
		const stored = JSON.parse(String(staticData.state)) as {
			version: unknown;
			scope: unknown;
			gateways: Array<[string, Snapshot]>;
			isUnconfirmed?: true;
		};
		const { version, gateways, isUnconfirmed = false } = stored;
		if (version === VERSION && JSON.stringify(stored.scope) === JSON.stringify(scope))
			return { snapshots: new Map(gateways), isUnconfirmed };
	} catch {
		// Nothing stored yet, or not by this trigger.
	}
	return { snapshots: new Map(), isUnconfirmed: false };
}

/** Stores the state after a poll. */
export function writeState(staticData: IDataObject, scope: unknown, { snapshots, isUnconfirmed }: State): void {
	const state = JSON.stringify({
		version: VERSION,
		scope,
		gateways: [...snapshots],
		...(isUnconfirmed && { isUnconfirmed }),
	});
	// n8n writes to its database even if the value is the same.
	if (staticData.state !== state) staticData.state = state;
}
