import { FaultDraw, type RuleCount } from './faults/faultInjector';
import { type FaultRule, parseFaultRules } from './faults/rules';
import { type LoggedRequest, RequestLog } from './store/requestLog';
import { createSeed, type Gateway } from './store/seed';
import { Tokens } from './store/tokens';

export interface StateOptions {
	/** Called with one line per request to the API: method, path, status, milliseconds, and the fault if any. */
	log?: (line: string) => void;
	/** Lifetime of a token. Default 3600; fractions allowed. */
	tokenTtlSeconds?: number;
	/** Faults at the start and after a reset. Default none. */
	faults?: FaultRule[];
}

/** The state of a sandbox (records, tokens, faults, log), and how to change it from outside the API. */
export class State {
	stored = createSeed();
	readonly log = new RequestLog();
	readonly tokens: Tokens;
	draw!: FaultDraw;

	/** @throws {ApiError} if the faults are invalid */
	constructor(readonly options: StateOptions) {
		this.tokens = new Tokens(options.tokenTtlSeconds ?? 3600);
		this.setFaults(options.faults ?? []);
	}

	/** A copy. */
	state() {
		return { ...structuredClone(this.stored), counters: this.log.counters() };
	}

	requests(): LoggedRequest[] {
		return this.log.list();
	}

	/** Resets records, counters, log and faults. Tokens stay valid. */
	reset(): void {
		this.stored = createSeed();
		this.log.clear();
		this.setFaults(this.options.faults ?? []);
	}

	/** The current rules and, per rule, how many requests it matched and into how many it was injected. */
	faults(): { rules: FaultRule[]; counts: RuleCount[] } {
		return { rules: this.draw.rules, counts: this.draw.counts() };
	}

	/** Replaces all faults, and restarts the random sequence. @throws {ApiError} if a rule is invalid */
	setFaults(newRules: FaultRule[]): void {
		const rules = parseFaultRules(newRules);
		this.tokens.usesPerToken = rules.find((rule) => rule.fault === 'tokenExpires')?.afterRequests ?? Infinity;
		this.draw = new FaultDraw(rules);
	}

	/** Adds a gateway, or replaces the one with its id; the documented API has no operation that does. */
	putGateway(gateway: Gateway): void {
		put(this.stored.gateways, structuredClone(gateway), 'id');
	}

	removeGateway(id: string): void {
		this.stored.gateways = this.stored.gateways.filter((gateway) => gateway.id !== id);
	}
}

/** Replaces the entry with the same value under `key`, or appends a new one. */
export function put<Type>(all: Type[], added: Type, key: keyof Type): void {
	const index = all.findIndex((entry) => entry[key] === added[key]);
	all.splice(index === -1 ? all.length : index, 1, added);
}
