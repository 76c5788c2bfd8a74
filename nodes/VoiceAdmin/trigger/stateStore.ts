import type { IDataObject } from 'n8n-workflow';

import type { Snapshot } from './snapshot';

/** Version of what is stored. What another version has stored is not read: the trigger starts over. */
const VERSION = 2;

/** What a poll leaves for the next. */
export interface State {
	/** Snapshots of gateways by their ids. */
	gateways: Map<string, Snapshot>;
	/** Whether the poll has found none of them, and has not believed it. */
	isDoubted: boolean;
}

/**
 * Gives the state after the last poll; without snapshots before the first. It is one text in n8n's static data of the node,
 * which is stored with the workflow: n8n makes what is stored observable field by field, which loses a name such as
 * `__proto__` and costs time, and a text is replaced as a whole or not at all.
 * @param scope service, organization and fields: the state of another scope is not read
 */
export function readState(staticData: IDataObject, scope: unknown): State {
	try {
		const stored = JSON.parse(String(staticData.seen)) as { version: unknown; about: unknown; gateways: Array<[string, Snapshot]>; isDoubted?: true };
		const { version, about, gateways, isDoubted = false } = stored;
		if (version === VERSION && JSON.stringify(about) === JSON.stringify(scope)) return { gateways: new Map(gateways), isDoubted };
	} catch {
		// Nothing yet, or nothing that this version of the trigger has stored.
	}
	return { gateways: new Map(), isDoubted: false };
}

/** Stores the state in place of all that was. The names `seen` and `about` are those of stored workflows. */
export function writeState(staticData: IDataObject, scope: unknown, { gateways, isDoubted }: State): void {
	const seen = JSON.stringify({ version: VERSION, about: scope, gateways: [...gateways], ...(isDoubted && { isDoubted }) });
	// n8n writes to its database whatever is set, even if it is the same.
	if (staticData.seen !== seen) staticData.seen = seen;
}
