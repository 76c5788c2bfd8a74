import type { FaultPlan, FaultRule } from './schema';

/** A rule for some requests; tokenExpires is for tokens. */
type ScopedRule = Exclude<FaultRule, { fault: 'tokenExpires' }>;

/** A fault of a reply or a connection; latency is apart, as it adds to any of these. */
export type InjectedFault = Exclude<ScopedRule, { fault: 'latency' }>;

/** What is to go wrong with one request. */
export interface Draw {
	/** Milliseconds that the reply has to wait. */
	delayMs: number;
	/** Undefined if the request is to be answered as it should be. */
	fault?: InjectedFault;
}

/** How many requests a rule was for, and into how many it was injected. */
export interface RuleCount {
	matched: number;
	injected: number;
}

interface ActiveRule extends RuleCount {
	rule: FaultRule;
	random: () => number;
}

/**
 * Draws the faults of a plan, one request after the other. Each rule has random numbers of its own and uses them up
 * whether or not an earlier rule was drawn: so adding a rule does not change what the others do.
 */
export class FaultDraw {
	private readonly active: ActiveRule[];

	/** @param seed used where the plan has none */
	constructor(
		readonly plan: FaultPlan,
		seed: number,
	) {
		this.active = (plan.rules ?? []).map((rule, index) => ({ rule, random: seededRandom((plan.seed ?? seed) + index * 0x9e3779b9), matched: 0, injected: 0 }));
	}

	/**
	 * What is to go wrong with the next request.
	 * @param path without the query
	 * @param body as text
	 */
	next(method: string, path: string, body: string): Draw {
		const draw: Draw = { delayMs: 0 };
		for (const active of this.active) {
			const { rule, random } = active;
			if (rule.fault === 'tokenExpires' || !covers(rule, method, path, body)) continue;
			active.matched += 1;
			const drawn = random() < (rule.rate ?? 1);
			if (!drawn || active.matched <= (rule.after ?? 0) || active.injected >= (rule.count ?? Infinity)) continue;
			if (rule.fault === 'latency') draw.delayMs += rule.ms + random() * (rule.jitterMs ?? 0);
			else if (draw.fault === undefined) draw.fault = rule;
			else continue;
			active.injected += 1;
		}
		return draw;
	}

	/** One entry for each rule of the plan, in its order; tokenExpires, which is not drawn, has zeros. */
	counts(): RuleCount[] {
		return this.active.map(({ matched, injected }) => ({ matched, injected }));
	}

	/** The rules of the plan, without those whose `count` is used up. */
	rulesLeft(): FaultRule[] {
		return this.active.flatMap(({ rule, injected }) => (injected < ('count' in rule ? rule.count ?? Infinity : Infinity) ? [rule] : []));
	}
}

function covers(rule: ScopedRule, method: string, path: string, body: string): boolean {
	if (rule.bodyContains !== undefined && !body.includes(rule.bodyContains)) return false;
	if (rule.method !== undefined && rule.method.toUpperCase() !== method) return false;
	return rule.path === undefined || path === rule.path || path.startsWith(rule.path.replace(/\/?$/, '/'));
}

/**
 * Random numbers from 0 (inclusive) to 1 (exclusive), the same sequence for the same seed: mulberry32, which is small,
 * fast and even enough to draw faults with.
 * @param seed an integer; only its lower 32 bits count
 */
export function seededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
