import type { RuleCount } from '../faults/draw';
import { FAULT_GROUPS } from '../faults/schema';
import type { FaultPlan } from '../faults/schema';
import type { SandboxCore } from '../sandbox';
import type { LoggedRequest, RequestCounters } from '../store/requestLog';
import type { Stored } from '../store/store';

/** What is shown at most of what a run may make thousands of; the rest is counted. */
const MAX_REQUESTS = 200;
const MAX_CUSTOMERS = 100;

/** All that the page shows, at a moment. */
export interface Snapshot extends Stored {
	customerCount: number;
	/** The latest, in the order in which they ended. */
	requests: LoggedRequest[];
	counters: RequestCounters;
	faultGroups: typeof FAULT_GROUPS;
	plan: FaultPlan;
	/** One for each rule of the plan. */
	counts: RuleCount[];
}

export function snapshotOf(core: SandboxCore): Snapshot {
	return {
		...core.store.view(MAX_CUSTOMERS),
		customerCount: core.store.customerCount,
		requests: core.log.list(MAX_REQUESTS),
		counters: core.log.counters(),
		faultGroups: FAULT_GROUPS,
		...core.faults(),
	};
}
