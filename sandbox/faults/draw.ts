import type { FaultPlan, FaultRule } from './plan';
import { TokenBucket } from './tokenBucket';

/** A rule for some requests; tokenExpires is for tokens. */
type ScopedRule = Exclude<FaultRule, { fault: 'tokenExpires' }>;

/** A fault of a reply or a connection; latency is apart, as it adds to any of these. A rate limit knows how long to wait. */
export type InjectedFault = Exclude<ScopedRule, { fault: 'latency' }> & { retryAfterSeconds?: number };

/** A rule and what it has done. */
interface Active extends RuleCount {
	rule: FaultRule;
	random: () => number;
	bucket?: TokenBucket;
	/** Of its first injection, by `performance.now()`. */
	since?: number;
}

/** How many requests a rule was for, and into how many it was injected. */
export interface RuleCount {
	matched: number;
	injected: number;
}

/**
 * Draws the faults of a plan, one request after the other. Each rule has random numbers of its own and uses them up
 * whether or not an earlier rule was drawn: so adding a rule does not change what the others do.
 */
export class FaultDraw {
	private readonly active: Active[];

	/** @param latencyMs of every request, beside the plan's */
	constructor(readonly plan: FaultPlan, private readonly latencyMs = 0) {
		const { seed = 1, rules = [] } = plan;
		this.active = rules.map((rule, index) => ({ rule, random: seededRandom(seed + index * 0x9e3779b9), matched: 0, injected: 0 }));
	}

	/**
	 * What is to go wrong with the next request.
	 * @param path without the query
	 */
	next(method: string, path: string, body: string): { delayMs: number; fault?: InjectedFault } {
		let delayMs = this.latencyMs;
		let fault: InjectedFault | undefined;
		for (const active of this.active) {
			const { rule, random } = active;
			if (rule.fault === 'tokenExpires' || !covers(rule, method, path, body)) continue;
			active.matched += 1;
			const drawn = random() < (rule.rate ?? 1);
			if (!drawn || active.matched <= (rule.after ?? 0) || active.injected >= (rule.count ?? Infinity)) continue;
			if (rule.fault === 'latency') delayMs += rule.ms + random() * (rule.jitterMs ?? 0);
			else if (fault !== undefined || !(fault = byTime(active, rule))) continue;
			active.injected += 1;
		}
		return { delayMs, fault };
	}

	/** One entry for each rule of the plan, in its order; tokenExpires, which is not drawn, has zeros. */
	counts(): RuleCount[] {
		return this.active.map(({ matched, injected }) => ({ matched, injected }));
	}
}

/** The fault; undefined for a rate limit that is kept, and for an outage that is over. */
function byTime(active: Active, rule: InjectedFault): InjectedFault | undefined {
	if ('perSecond' in rule) {
		active.bucket ??= new TokenBucket(rule.fault === 'nginxLimit' ? { burst: 1, ...rule } : rule);
		const seconds = active.bucket.secondsToWait();
		return seconds > 0 ? { ...rule, retryAfterSeconds: Math.ceil(seconds) } : undefined;
	}
	if (!('ms' in rule)) return rule;
	const now = performance.now();
	active.since ??= now;
	return now - active.since < rule.ms ? rule : undefined;
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
