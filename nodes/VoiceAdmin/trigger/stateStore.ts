import type { IDataObject } from 'n8n-workflow';

import type { Snapshot } from './snapshot';

/** Version of what is stored. What another version has stored is not read: the trigger starts over. */
const VERSION = 1;

/** Snapshots of gateways by their ids. */
export type Snapshots = Map<string, Snapshot>;

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

	/** The snapshots of the last poll; none before the first. */
	read(): Snapshots {
		try {
			const stored = JSON.parse(String(this.staticData.seen)) as { version: unknown; about: unknown; gateways: Array<[string, Snapshot]> };
			const { version, about, gateways } = stored;
			return version === VERSION && JSON.stringify(about) === JSON.stringify(this.scope) ? new Map(gateways) : new Map();
		} catch {
			// Nothing yet, or nothing that this version of the trigger has stored.
			return new Map();
		}
	}

	/** Stores the snapshots of a poll in place of all others. The names `seen` and `about` are those of stored workflows. */
	write(snapshots: Snapshots): void {
		const seen = JSON.stringify({ version: VERSION, about: this.scope, gateways: [...snapshots] });
		// n8n writes to its database whatever is set, even if it is the same.
		if (this.staticData.seen !== seen) this.staticData.seen = seen;
	}
}
