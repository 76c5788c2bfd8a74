import type { RuleCount } from '../faults/draw';
import { FAULT_GROUPS } from '../faults/schema';
import type { FaultPlan } from '../faults/schema';
import type { SandboxCore } from '../sandbox';
import type { LoggedRequest, RequestCounters } from '../store/requestLog';
import type { Customer, Gateway, Organization, Trunk } from '../store/types';
import { HIDDEN, OFTEN_SECRET } from './redact';

/** What is shown at most; the rest is counted. */
const MAX = { requests: 200, customers: 100, gateways: 500, premiumCountries: 60, fields: 12, text: 120 } as const;

/** Data of the event `snapshot`: all that is shown, at a moment. Long texts are cut. */
export interface Snapshot {
	organizations: Organization[];
	/** Each with its latest premium countries, and how many there are. */
	trunks: Array<Trunk & { premiumCount: number }>;
	/** With the fields that are shown; one may have been put there with any others. */
	gateways: Gateway[];
	/** The latest, in the order of their creation, each with its first fields as texts, and how many there are. */
	customers: Array<{ id: number; vatNumber: string | null; createdAt: string; fields: Array<{ name: string; value: string }>; fieldCount: number }>;
	customerCount: number;
	/** The latest, in the order in which they ended. */
	requests: LoggedRequest[];
	counters: RequestCounters;
	faultGroups: typeof FAULT_GROUPS;
	plan: FaultPlan;
	/** One for each rule of the plan. */
	counts: RuleCount[];
	settings: { latencyMs: number; tokenTtlSeconds: number };
}

export function snapshotOf(core: SandboxCore): Snapshot {
	const { organizations, trunks, gateways, customers } = core.store.view(MAX.customers);
	return {
		organizations,
		trunks: trunks.map(trunkView),
		gateways: gateways.slice(-MAX.gateways).map(gatewayView),
		customers: customers.map(customerViewOf),
		customerCount: core.store.customerCount,
		requests: core.log.list(MAX.requests),
		counters: core.log.counters(),
		faultGroups: FAULT_GROUPS,
		...core.faults(),
		settings: core.settings,
	};
}

function trunkView({ premiumCountries, ...trunk }: Trunk) {
	const latest = premiumCountries.slice(-MAX.premiumCountries).map(({ premium_available: available, ...country }) => ({
		...country,
		...(available !== undefined && { premium_available: cut(available) }),
	}));
	return { ...trunk, premiumCountries: latest, premiumCount: premiumCountries.length };
}

function gatewayView({ id, name, type, organizationId, terminationUri }: Gateway): Gateway {
	return { id, name: cut(name), type, organizationId, terminationUri: terminationUri && cut(terminationUri) };
}

/** A customer does not change: one of a megabyte is not written as JSON for each snapshot. */
const customerViews = new WeakMap<Customer, ReturnType<typeof customerView>>();

function customerViewOf(customer: Customer) {
	const view = customerViews.get(customer) ?? customerView(customer);
	customerViews.set(customer, view);
	return view;
}

function customerView({ id, vatNumber, createdAt, ...others }: Customer) {
	const fields = Object.entries(others);
	const shown = fields.slice(0, MAX.fields).map(([name, value]) => {
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		return { name: cut(name), value: OFTEN_SECRET.test(name) ? HIDDEN : cut(text) };
	});
	return { id, vatNumber: vatNumber === undefined ? null : cut(vatNumber), createdAt, fields: shown, fieldCount: fields.length };
}

function cut(text: string): string {
	return text.length <= MAX.text ? text : `${text.slice(0, MAX.text)}…`;
}
