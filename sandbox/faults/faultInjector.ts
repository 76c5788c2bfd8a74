import { createHash } from 'node:crypto';

import { type Fault, FAULTS, type Injection, type ruleFilters, type ValuesOf } from './faults';
import type { FaultName, FaultRule } from './rules';

type Rule = ValuesOf<typeof ruleFilters> & { fault: FaultName };

/** A rule with its fault, and how often it was used. */
interface RuleState extends RuleCount {
	rule: Rule;
	fault: Fault;
	throttle?: () => number;
}

/** How many requests a rule matched, and into how many it was injected. */
export interface RuleCount {
	matchCount: number;
	injectionCount: number;
}

/**
 * Draws faults for one request after another. A rule's random numbers depend only on its position and on how many requests it
 * has matched: the same requests get the same faults, and a rule that is added after it changes nothing for it.
 */
export class FaultInjector {
	private readonly ruleStates: RuleState[];

	constructor(readonly rules: FaultRule[]) {
		this.ruleStates = rules.map((rule: Rule) => {
			const fault: Fault = FAULTS[rule.fault];
			return { rule, fault, throttle: fault.createThrottle?.(rule), matchCount: 0, injectionCount: 0 };
		});
	}

	/** Draws for the next request. @param path without the query */
	draw(method: string, path: string, body: string): { delayMs: number; injection?: Injection & { fault: FaultName } } {
		let delayMs = 0;
		let injection: (Injection & { fault: FaultName }) | undefined;
		for (const [index, state] of this.ruleStates.entries()) {
			const { rule, fault, throttle } = state;
			if (rule.fault === 'tokenExpires' || !matchesRule(rule, method, path, body)) continue;
			state.matchCount += 1;
			const isDrawn = randomFrom(index, state.matchCount) < (rule.rate ?? 1);
			const isInTurn = state.matchCount % (rule.every ?? 1) === 0;
			if (!isDrawn || !isInTurn) continue;
			if (state.matchCount <= (rule.after ?? 0) || state.injectionCount >= (rule.count ?? Infinity)) continue;
			if (fault.delayMs) delayMs += fault.delayMs(rule);
			else {
				if (injection) continue;
				const remainingSeconds = throttle?.() ?? 0;
				if (throttle && remainingSeconds === 0) continue;
				injection = { fault: rule.fault, ...fault.inject?.(rule, remainingSeconds) };
			}
			state.injectionCount += 1;
		}
		return { delayMs, injection };
	}

	/** One entry per rule, in their order; zeros for tokenExpires, which isn't drawn. */
	counts(): RuleCount[] {
		return this.ruleStates.map(({ matchCount, injectionCount }) => ({ matchCount, injectionCount }));
	}
}

function matchesRule(rule: Rule, method: string, path: string, body: string): boolean {
	if (rule.bodyContains !== undefined && !body.includes(rule.bodyContains)) return false;
	if (rule.method !== undefined && rule.method.toUpperCase() !== method) return false;
	return rule.path === undefined || path === rule.path || path.startsWith(rule.path.replace(/\/?$/, '/'));
}

/** A pseudo-random number, 0 ≤ n < 1, that depends only on the arguments. */
export const randomFrom = (...numbers: number[]): number =>
	createHash('sha256').update(numbers.join()).digest().readUInt32BE() / 2 ** 32;
