import { createHash } from 'node:crypto';

import type { Reply } from '../apiError';
import { type Fault, FAULTS, type scope, type ValuesOf } from './faults';
import type { FaultName, FaultRule } from './rules';

/** A fault to inject into a request. */
interface Injection {
	fault: FaultName;
	/** Whether the request is processed first. */
	processed: boolean;
	/** For how many milliseconds the sandbox accepts no connections. */
	refusesForMs: number;
	/** @param original the response of the processed request */
	reply(original: Reply): Reply | 'reset';
}

/** A rule, with those parameters of faults that this file reads. */
type Rule = ValuesOf<typeof scope> & { fault: FaultName; processed?: boolean; ms?: number };

/** A rule, and what has become of it. */
interface Active extends RuleCount {
	rule: Rule;
	kind: Fault;
	gate?: () => number;
}

/** How many requests a rule matched, and into how many it was injected. */
export interface RuleCount {
	matched: number;
	injected: number;
}

/**
 * Draws faults for one request after another. A rule's random numbers depend only on its position and on how many requests it
 * has matched: the same requests get the same faults, and a rule that is added after it changes nothing for it.
 */
export class FaultDraw {
	private readonly active: Active[];

	constructor(readonly rules: FaultRule[]) {
		this.active = rules.map((rule: Rule) => {
			const kind: Fault = FAULTS[rule.fault];
			return { rule, kind, gate: kind.createGate?.(rule), matched: 0, injected: 0 };
		});
	}

	/** Draws for the next request. @param path without the query */
	next(method: string, path: string, body: string): { delayMs: number; injection?: Injection } {
		let delayMs = 0;
		let injection: Injection | undefined;
		for (const [index, active] of this.active.entries()) {
			const { rule, kind, gate } = active;
			if (rule.fault === 'tokenExpires' || !covers(rule, method, path, body)) continue;
			active.matched += 1;
			const isDrawn = randomFrom(index, active.matched) < (rule.rate ?? 1);
			const isInTurn = active.matched % (rule.every ?? 1) === 0;
			if (!isDrawn || !isInTurn) continue;
			if (active.matched <= (rule.after ?? 0) || active.injected >= (rule.count ?? Infinity)) continue;
			if (kind.delayMs) delayMs += kind.delayMs(rule);
			else {
				if (injection) continue;
				const secondsLeft = gate?.() ?? 0;
				if (gate && secondsLeft === 0) continue;
				injection = {
					fault: rule.fault,
					processed: rule.processed ?? kind.processed ?? false,
					refusesForMs: kind.stopsListening ? rule.ms! : 0,
					reply: (original) => kind.reply!(rule, original, secondsLeft),
				};
			}
			active.injected += 1;
		}
		return { delayMs, injection };
	}

	/** One entry per rule, in their order; zeros for tokenExpires, which isn't drawn. */
	counts(): RuleCount[] {
		return this.active.map(({ matched, injected }) => ({ matched, injected }));
	}
}

function covers(
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
