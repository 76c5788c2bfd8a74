import { createHash } from 'node:crypto';

import type { Reply } from '../apiError';
import { type Fault, FAULTS, type scope, type ValuesOf } from './faults';
import type { FaultName, FaultPlan } from './plan';

/** What is to happen to a request in place of its own reply. */
export interface Injection {
	fault: FaultName;
	/** Whether it is processed all the same. */
	processed: boolean;
	/** For how many milliseconds the sandbox is to accept no connections. */
	refusesForMs: number;
	/** @param processed its own reply, of one that is processed */
	reply(processed: Reply): Reply | 'reset';
}

/** Parameters of faults that are used here. */
type Rule = ValuesOf<typeof scope> & { fault: FaultName; processed?: boolean; ms?: number };

/** A rule and what it has done. */
interface Active extends RuleCount {
	rule: Rule;
	kind: Fault;
	clock?: () => number;
}

/** How many requests a rule was for, and into how many it was injected. */
export interface RuleCount {
	matched: number;
	injected: number;
}

/**
 * Draws the faults of a plan, one request after the other. What a rule draws depends on its place in the plan and on how many
 * requests it has matched: so adding a rule after it does not change what it does.
 */
export class FaultDraw {
	private readonly active: Active[];

	/** @param latencyMs of every request, beside the plan's */
	constructor(readonly plan: FaultPlan, private readonly latencyMs = 0) {
		this.active = (plan.rules ?? []).map((rule: Rule) => {
			const kind: Fault = FAULTS[rule.fault];
			return { rule, kind, clock: kind.clock?.(rule), matched: 0, injected: 0 };
		});
	}

	/** What is to go wrong with the next request. @param path without the query */
	next(method: string, path: string, body: string): { delayMs: number; injection?: Injection } {
		let delayMs = this.latencyMs;
		let injection: Injection | undefined;
		for (const [index, active] of this.active.entries()) {
			const { rule, kind, clock } = active;
			if (!(kind.delayMs ?? kind.reply) || !covers(rule, method, path, body)) continue;
			active.matched += 1;
			const drawn = drawnFrom(this.plan.seed ?? 1, index, active.matched) < (rule.rate ?? 1);
			if (!drawn || active.matched <= (rule.after ?? 0) || active.injected >= (rule.count ?? Infinity)) continue;
			if (kind.delayMs) delayMs += kind.delayMs(rule);
			else {
				if (injection) continue;
				const secondsLeft = clock?.() ?? 0;
				if (clock && secondsLeft === 0) continue;
				injection = {
					fault: rule.fault,
					processed: rule.processed ?? kind.processed ?? false,
					refusesForMs: kind.stopsListening ? rule.ms! : 0,
					reply: (processed) => kind.reply!(rule, processed, secondsLeft),
				};
			}
			active.injected += 1;
		}
		return { delayMs, injection };
	}

	/** One entry for each rule of the plan, in its order; tokenExpires, which is not drawn, has zeros. */
	counts(): RuleCount[] {
		return this.active.map(({ matched, injected }) => ({ matched, injected }));
	}
}

function covers({ bodyContains, method: only, path: below }: Rule, method: string, path: string, body: string): boolean {
	if (bodyContains !== undefined && !body.includes(bodyContains)) return false;
	if (only !== undefined && only.toUpperCase() !== method) return false;
	return below === undefined || path === below || path.startsWith(below.replace(/\/?$/, '/'));
}

/** A number from 0 (inclusive) to 1 (exclusive), the same for the same numbers. */
export const drawnFrom = (...numbers: number[]): number => createHash('sha256').update(numbers.join()).digest().readUInt32BE() / 2 ** 32;
