import type { RuleCount } from '../faults/draw';
import { FAULT_GROUPS } from '../faults/schema';
import type { FaultPlan } from '../faults/schema';
import type { Organization } from '../records';
import type { LoggedRequest, RequestCounters } from '../requestLog';
import type { SandboxCore } from '../sandbox';
import type { Undone } from './changes';
import { MOST_SHOWN, viewOfCustomer, viewOfGateways, viewOfTrunk } from './view';
import type { CustomerView, GatewayView, TrunkView } from './view';

/** Data of the event `snapshot`: all that is shown, at a moment. */
export interface Snapshot {
	organizations: Organization[];
	trunks: TrunkView[];
	gateways: GatewayView[];
	/** The latest, in the order of their creation. */
	customers: CustomerView[];
	customerCount: number;
	/** The latest, in the order in which they ended. */
	requests: LoggedRequest[];
	counters: RequestCounters;
	faultGroups: typeof FAULT_GROUPS;
	plan: FaultPlan;
	/** One for each rule of the plan. */
	counts: RuleCount[];
	settings: { latencyMs: number; tokenTtlSeconds: number };
	/** Present when the reason is a reset. */
	undone?: Undone;
}

/** Data of the event `change`: what is new since the event before. Absent fields are as they were. */
export interface ChangeEvent {
	trunks?: TrunkView[];
	/** All of them, when one has changed, appeared or gone. */
	gateways?: GatewayView[];
	customers?: CustomerView[];
	customerCount: number;
	requests?: LoggedRequest[];
	counters: RequestCounters;
	plan?: FaultPlan;
	counts: RuleCount[];
}

export function snapshotOf(core: SandboxCore, undone?: Undone): Snapshot {
	const { organizations, trunks, gateways, customers, customerCount } = core.service.books.latest(MOST_SHOWN.customers);
	return {
		organizations,
		trunks: trunks.map(viewOfTrunk),
		gateways: viewOfGateways(gateways),
		customers: customers.map(viewOfCustomer),
		customerCount,
		requests: core.log.list(MOST_SHOWN.requests),
		counters: core.log.counters(),
		faultGroups: FAULT_GROUPS,
		...core.faults(),
		settings: core.settings,
		...(undone && { undone }),
	};
}
