import type { IDataObject } from 'n8n-workflow';

import type { Snapshot } from './snapshot';

/** Version of what is stored. What another version has stored is not read: the trigger starts over. */
const VERSION = 1;

/** What a poll leaves for the next. */
export interface State {
	/** Snapshots of gateways by their ids. */
	gateways: Map<string, Snapshot>;
	/** Whether the poll has found none of them, and has not believed it. */
	isUnconfirmed: boolean;
}

/**
 * Gives the state after the last poll; without snapshots before the first. It is one text in n8n's static data of the node,
 * which is stored with the workflow: n8n makes what is stored observable field by field, which loses a name such as
 * `__proto__` and costs time, and a text is replaced as a whole or not at all.
 * @param scope service, organization and fields: the state of another scope is not read
 */
export function readState(staticData: IDataObject, scope: unknown): State {
	try {
		const stored = JSON.parse(String(staticData.state)) as { version: unknown; scope: unknown; gateways: Array<[string, Snapshot]>; isUnconfirmed?: true };
		const { version, gateways, isUnconfirmed = false } = stored;
		if (version === VERSION && JSON.stringify(stored.scope) === JSON.stringify(scope)) return { gateways: new Map(gateways), isUnconfirmed };
	} catch {
		// Nothing yet, or nothing that this version of the trigger has stored.
	}
	return { gateways: new Map(), isUnconfirmed: false };
}

/** Stores the state in place of all that was. */
export function writeState(staticData: IDataObject, scope: unknown, { gateways, isUnconfirmed }: State): void {
	const state = JSON.stringify({ version: VERSION, scope, gateways: [...gateways], ...(isUnconfirmed && { isUnconfirmed }) });
	// n8n writes to its database whatever is set, even if it is the same.
	if (staticData.state !== state) staticData.state = state;
}
