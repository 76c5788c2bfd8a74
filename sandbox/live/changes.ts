import type { Customer, Trunk } from '../records';
import type { LoggedRequest } from '../requestLog';

/** What a reset took away. */
export interface Undone {
	requests: number;
	customers: number;
	premiumCountries: number;
}

/** Something that happened in a sandbox. */
export type Change =
	| { kind: 'requestBegan' }
	| { kind: 'requestEnded'; request: LoggedRequest }
	| { kind: 'trunk'; trunk: Trunk }
	| { kind: 'customer'; customer: Customer }
	| { kind: 'gateways' }
	| { kind: 'faults' }
	| { kind: 'reset'; undone: Undone };

export type Watcher = (change: Change) => void;

/** Tells watchers what happens in a sandbox, at once and in order. Costs next to nothing while nobody watches. */
export class Changes {
	private readonly watchers = new Set<Watcher>();

	get watcherCount(): number {
		return this.watchers.size;
	}

	/** @returns what ends the watching */
	watch(watcher: Watcher): () => void {
		this.watchers.add(watcher);
		return () => this.watchers.delete(watcher);
	}

	tell(change: Change): void {
		for (const watcher of this.watchers) watcher(change);
	}
}
