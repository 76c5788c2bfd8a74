import { seededRandom } from './random';
import type { FaultPlan, FaultRule } from './schema';

/** A rule for some requests; tokenExpires is for tokens. */
type ScopedRule = Exclude<FaultRule, { fault: 'tokenExpires' }>;

/** A fault that strikes a reply or a connection; latency is apart, as it adds to any of these. */
export type StrikingFault = Exclude<ScopedRule, { fault: 'latency' }>;

/** What is to go wrong with one request. */
export interface Draw {
	/** Milliseconds that the reply has to wait. */
	delayMs: number;
	/** Undefined if the request is to be answered as it should be. */
	fault?: StrikingFault;
}

/** How often a rule was asked and how often it struck. */
export interface RuleCount {
	matched: number;
	struck: number;
}

interface ActiveRule extends RuleCount {
	rule: ScopedRule;
	random: () => number;
}

const LOGIN_PATH = '/auth/api-key/login';

/**
 * Draws the faults of a plan, one request after the other. Each rule has random numbers of its own and uses them up
 * whether or not an earlier rule has struck: so adding a rule does not change what the others do.
 */
export class FaultDraw {
	private readonly active: Array<ActiveRule | undefined>;

	/**
	 * @param seed used where the plan has none
	 * @param before a draw whose rules go on as they are, where the plan has them too
	 */
	constructor(
		readonly plan: FaultPlan,
		seed: number,
		before?: FaultDraw,
	) {
		this.active = (plan.rules ?? []).map((rule, index) => {
			if (!isScoped(rule)) return undefined;
			return before?.activeRule(rule) ?? { rule, random: seededRandom((plan.seed ?? seed) + index * 0x9e3779b9), matched: 0, struck: 0 };
		});
	}

	/**
	 * What is to go wrong with the next request.
	 * @param path without the query
	 * @param body as text
	 */
	next(method: string, path: string, body: string): Draw {
		const draw: Draw = { delayMs: 0 };
		for (const active of this.active) {
			if (!active || !covers(active.rule, method, path, body)) continue;
			active.matched += 1;
			const { rule, random } = active;
			const drawn = random() < (rule.rate ?? 1);
			if (!drawn || active.matched <= (rule.after ?? 0) || active.struck >= (rule.count ?? Infinity)) continue;
			if (rule.fault === 'latency') {
				draw.delayMs += rule.ms + random() * (rule.jitterMs ?? 0);
			} else if (draw.fault === undefined) {
				draw.fault = rule;
			} else {
				continue;
			}
			active.struck += 1;
		}
		return draw;
	}

	/** One entry for each rule of the plan, in its order; a rule that is not drawn, such as tokenExpires, has zeros. */
	counts(): RuleCount[] {
		return this.active.map((active) => ({ matched: active?.matched ?? 0, struck: active?.struck ?? 0 }));
	}

	/** The rules of the plan, without those that have struck as often as they may. */
	rulesWithStrikesLeft(): FaultRule[] {
		return (this.plan.rules ?? []).filter((rule, index) => !isScoped(rule) || (this.active[index]?.struck ?? 0) < (rule.count ?? Infinity));
	}

	private activeRule(rule: ScopedRule): ActiveRule | undefined {
		return this.active.find((active) => active?.rule === rule);
	}
}

function isScoped(rule: FaultRule): rule is ScopedRule {
	return rule.fault !== 'tokenExpires';
}

function covers(rule: ScopedRule, method: string, path: string, body: string): boolean {
	if (rule.bodyContains !== undefined && !body.includes(rule.bodyContains)) return false;
	if (rule.method !== undefined && rule.method.toUpperCase() !== method) return false;
	if (rule.path !== undefined && !isAtOrBelow(rule.path, path)) return false;
	const forLoginsOnly = rule.fault === 'loginWithoutToken' || rule.fault === 'loginTokenOfWrongType';
	return !forLoginsOnly || path === LOGIN_PATH;
}

function isAtOrBelow(parent: string, path: string): boolean {
	return path === parent || path.startsWith(parent.endsWith('/') ? parent : `${parent}/`);
}
