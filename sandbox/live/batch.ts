import type { Customer, Trunk } from '../records';
import type { LoggedRequest } from '../requestLog';
import type { SandboxCore } from '../sandbox';
import type { Change, Undone } from './changes';
import { snapshotOf } from './snapshot';
import type { ChangeEvent, Snapshot } from './snapshot';
import { MOST_SHOWN, viewOfCustomer, viewOfGateways, viewOfTrunk } from './view';

/** What a watcher has not been told yet. Holds no more than is shown, however long the watcher can't be told. */
export class Batch {
	private requests: LoggedRequest[] = [];
	private trunks = new Set<Trunk>();
	private customers: Customer[] = [];
	private hasNewGateways = false;
	private hasNewPlan = false;
	private undone: Undone | undefined;

	add(change: Change): void {
		switch (change.kind) {
			case 'requestEnded':
				push(this.requests, change.request, MOST_SHOWN.requests);
				break;
			case 'trunk':
				this.trunks.add(change.trunk);
				break;
			case 'customer':
				push(this.customers, change.customer, MOST_SHOWN.customers);
				break;
			case 'gateways':
				this.hasNewGateways = true;
				break;
			case 'faults':
				this.hasNewPlan = true;
				break;
			case 'reset':
				this.undone = change.undone;
				break;
		}
	}

	/** The event that tells it all; the batch is empty then. */
	take(core: SandboxCore): { event: 'snapshot'; data: Snapshot } | { event: 'change'; data: ChangeEvent } {
		const { requests, trunks, customers, hasNewGateways, hasNewPlan, undone } = this;
		this.requests = [];
		this.trunks = new Set();
		this.customers = [];
		this.hasNewGateways = false;
		this.hasNewPlan = false;
		this.undone = undefined;
		if (undone) return { event: 'snapshot', data: snapshotOf(core, undone) };
		const { plan, counts } = core.faults();
		return {
			event: 'change',
			data: {
				...(trunks.size > 0 && { trunks: [...trunks].map(viewOfTrunk) }),
				...(hasNewGateways && { gateways: viewOfGateways(core.service.books.allGateways) }),
				...(customers.length > 0 && { customers: customers.slice(-MOST_SHOWN.customers).map(viewOfCustomer) }),
				customerCount: core.service.books.customerCount,
				...(requests.length > 0 && { requests: requests.slice(-MOST_SHOWN.requests) }),
				counters: core.log.counters(),
				...(hasNewPlan && { plan }),
				counts,
			},
		};
	}
}

/** Keeps at least the latest `most`, and less than twice as many. */
function push<T>(list: T[], item: T, most: number): void {
	list.push(item);
	// in one go now and then, as shifting for each item would cost more
	if (list.length >= 2 * most) list.splice(0, list.length - most);
}
