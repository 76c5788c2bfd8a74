import type { IDataObject } from 'n8n-workflow';

import type { Snapshot } from './snapshot';

/** Version of what is stored. What another version has stored is not read: the trigger starts over. */
const VERSION = 1;

/** What a poll leaves for the next. */
export interface State {
	/** Snapshots of gateways by their ids. */
	gateways: Map<string, Snapshot>;
	/** Whether the poll has found none of them, and has not believed it. */
	isDoubted: boolean;
}

/**
 * The trigger's state from poll to poll, in n8n's static data of the node, which is stored with the workflow. As one text:
 * n8n makes what is stored observable field by field, which loses a name such as `__proto__` and costs time, and a text is
 * replaced as a whole or not at all.
 */
export class StateStore {
	/**
	 * @param staticData n8n's, of the node
	 * @param scope service, organization and fields: snapshots of another scope are not read
	 */
	constructor(
		private readonly staticData: IDataObject,
		private readonly scope: unknown,
	) {}

	/** The state after the last poll; without snapshots before the first. */
	read(): State {
		try {
			const stored = JSON.parse(String(this.staticData.seen)) as { version: unknown; about: unknown; gateways: Array<[string, Snapshot]>; isDoubted?: true };
			const { version, about, gateways, isDoubted = false } = stored;
			if (version === VERSION && JSON.stringify(about) === JSON.stringify(this.scope)) return { gateways: new Map(gateways), isDoubted };
		} catch {
			// Nothing yet, or nothing that this version of the trigger has stored.
		}
		return { gateways: new Map(), isDoubted: false };
	}

	/** Stores the state in place of all that was. The names `seen` and `about` are those of stored workflows. */
	write({ gateways, isDoubted }: State): void {
		const seen = JSON.stringify({ version: VERSION, about: this.scope, gateways: [...gateways], ...(isDoubted && { isDoubted }) });
		// n8n writes to its database whatever is set, even if it is the same.
		if (this.staticData.seen !== seen) this.staticData.seen = seen;
	}
}
