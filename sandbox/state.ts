import { FaultDraw, type RuleCount } from './faults/draw';
import { type FaultPlan, parseFaultPlan } from './faults/plan';
import { type LoggedRequest, RequestLog } from './store/requestLog';
import { createSeed, type Gateway } from './store/seed';
import { Tokens } from './store/tokens';

export interface StateOptions {
	/** Called with a line for each request of the API: method, path, status, milliseconds, and the fault if there was one. */
	log?: (line: string) => void;
	/** Lifetime of a token. Default 3600; fractions allowed. */
	tokenTtlSeconds?: number;
	latencyMs?: number;
	/** Faults from the start on, and again after a reset. Default none. */
	faults?: FaultPlan;
}

/** What a sandbox knows: store, tokens, faults and log, and what can be done to them from outside of the API. */
export class State {
	stored = createSeed();
	readonly log = new RequestLog();
	readonly tokens: Tokens;
	draw!: FaultDraw;

	/** @throws {ApiError} if the faults have a mistake */
	constructor(readonly options: StateOptions) {
		this.tokens = new Tokens(options.tokenTtlSeconds ?? 3600);
		this.setFaults(options.faults ?? {});
	}

	/** A copy. */
	state() {
		return { ...structuredClone(this.stored), counters: this.log.counters() };
	}

	requests(): LoggedRequest[] {
		return this.log.list();
	}

	/** Puts store, counters, log and faults back to how they were at the start. Tokens stay valid. */
	reset(): void {
		this.stored = createSeed();
		this.log.clear();
		this.setFaults(this.options.faults ?? {});
	}

	/** The plan in force, and for each of its rules how many requests it matched and into how many it was injected. */
	faults(): { plan: FaultPlan; counts: RuleCount[] } {
		return { plan: this.draw.plan, counts: this.draw.counts() };
	}

	/** Replaces all faults, and starts drawing from the beginning. @throws {ApiError} if the plan has a mistake */
	setFaults(given: FaultPlan): void {
		const plan = parseFaultPlan(given);
		this.tokens.usesPerToken = plan.rules?.find((rule) => rule.fault === 'tokenExpires')?.afterRequests ?? Infinity;
		this.draw = new FaultDraw(plan, this.options.latencyMs);
	}

	/** Stores a gateway, in place of the one that has its id: the API itself can't change one. */
	putGateway(gateway: Gateway): void {
		put(this.stored.gateways, structuredClone(gateway), 'id');
	}

	removeGateway(id: string): void {
		this.stored.gateways = this.stored.gateways.filter((gateway) => gateway.id !== id);
	}
}

/** Puts something in the place of what has the same value under `key`, or at the end where there is none. */
export function put<Type>(all: Type[], added: Type, key: keyof Type): void {
	const index = all.findIndex((known) => known[key] === added[key]);
	all.splice(index === -1 ? all.length : index, 1, added);
}
