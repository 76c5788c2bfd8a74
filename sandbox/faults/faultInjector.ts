import { createHash } from 'node:crypto';

import type { Reply } from '../apiError';
import { type Fault, FAULTS, type ruleFilters, type ValuesOf } from './faults';
import type { FaultName, FaultRule } from './rules';

/** A fault to inject into a request. */
interface Injection {
	fault: FaultName;
	/** Whether the request is processed first. */
	processed: boolean;
	/** For how many milliseconds the sandbox accepts no connections. */
	outageMs: number;
	/** @param apiReply the response of the processed request */
	reply(apiReply: Reply): Reply | 'reset';
}

/** A rule, with those parameters of faults that this file reads. */
type Rule = ValuesOf<typeof ruleFilters> & { fault: FaultName; processed?: boolean; ms?: number };

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
	draw(method: string, path: string, body: string): { delayMs: number; injection?: Injection } {
		let delayMs = 0;
		let injection: Injection | undefined;
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
				injection = {
					fault: rule.fault,
					processed: rule.processed ?? fault.processed ?? false,
					outageMs: fault.stopsListening ? rule.ms! : 0,
					reply: (apiReply) => fault.reply!(rule, apiReply, remainingSeconds),
				};
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

function matchesRule(
	{ bodyContains, method: ruleMethod, path: rulePath }: Rule,
	method: string,
	path: string,
	body: string,
): boolean {
	if (bodyContains !== undefined && !body.includes(bodyContains)) return false;
	if (ruleMethod !== undefined && ruleMethod.toUpperCase() !== method) return false;
	return rulePath === undefined || path === rulePath || path.startsWith(rulePath.replace(/\/?$/, '/'));
}

/** A pseudo-random number, 0 ≤ n < 1, that depends only on the arguments. */
export const randomFrom = (...numbers: number[]): number =>
	createHash('sha256').update(numbers.join()).digest().readUInt32BE() / 2 ** 32;
