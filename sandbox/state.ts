import { FaultInjector, type RuleCount } from './faults/faultInjector';
import { type FaultRule, parseFaultRules } from './faults/rules';
import { type LoggedRequest, RequestLog } from './store/requestLog';
import { createRecords, type Gateway } from './store/seed';
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
export class SandboxState {
	records = createRecords();
	readonly requestLog = new RequestLog();
	readonly tokens: Tokens;
	faultInjector!: FaultInjector;

	/** @throws {ApiError} if the faults are invalid */
	constructor(readonly options: StateOptions) {
		this.tokens = new Tokens(options.tokenTtlSeconds ?? 3600);
		this.setFaults(options.faults ?? []);
	}

	/** A copy. */
	getRecordsAndCounters() {
		return { ...structuredClone(this.records), counters: this.requestLog.getCounters() };
	}

	getRequests(): LoggedRequest[] {
		return this.requestLog.list();
	}

	/** Resets records, counters, log and faults. Tokens stay valid. */
	reset(): void {
		this.records = createRecords();
		this.requestLog.clear();
		this.setFaults(this.options.faults ?? []);
	}

	/** The current rules and, per rule, how many requests it matched and into how many it was injected. */
	getFaults(): { rules: FaultRule[]; counts: RuleCount[] } {
		return { rules: this.faultInjector.rules, counts: this.faultInjector.counts() };
	}

	/** Replaces all faults, and restarts the random sequence. @throws {ApiError} if a rule is invalid */
	setFaults(newRules: FaultRule[]): void {
		const rules = parseFaultRules(newRules);
		this.tokens.usesPerToken = rules.find((rule) => rule.fault === 'tokenExpires')?.afterRequests ?? Infinity;
		this.faultInjector = new FaultInjector(rules);
	}

	/** Adds a gateway, or replaces the one with its id; the documented API has no operation that does. */
	putGateway(gateway: Gateway): void {
		replaceOrAppend(this.records.gateways, structuredClone(gateway), 'id');
	}

	removeGateway(id: string): void {
		this.records.gateways = this.records.gateways.filter((gateway) => gateway.id !== id);
	}
}

/** Replaces the entry with the same value under `key`, or appends a new one. */
export function replaceOrAppend<Type>(entries: Type[], newEntry: Type, key: keyof Type): void {
	const index = entries.findIndex((entry) => entry[key] === newEntry[key]);
	entries.splice(index === -1 ? entries.length : index, 1, newEntry);
}
