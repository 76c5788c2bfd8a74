import { ApiError, type Reply } from './apiError';
import { Tokens } from './auth';
import { shown } from './faults/describe';
import { FaultDraw } from './faults/draw';
import type { Draw, RuleCount } from './faults/draw';
import { FaultPlanError, parseFaultPlan, requireFaultName } from './faults/parsePlan';
import type { FaultPlan, FaultRule, RateLimit } from './faults/schema';
import { TokenBucket } from './faults/tokenBucket';
import type { Service } from './operations';
import { type Profile, replyOf } from './profiles';
import { RequestLog } from './store/requestLog';
import type { LoggedBodies, LoggedRequest, RequestCounters } from './store/requestLog';
import { CLIENTS } from './store/seed';
import { Store } from './store/store';
import type { Stored } from './store/store';
import type { Gateway } from './store/types';

/** What a sandbox holds at a moment. */
export interface SandboxState extends Stored {
	counters: RequestCounters;
}

/** The plan in force, and for each of its rules how many requests it matched and into how many it was injected. */
export interface FaultStatus {
	plan: FaultPlan;
	counts: RuleCount[];
}

/** Settings of what the sandbox answers, apart from where it listens. */
export interface SandboxSettings {
	/** Lifetime of a token. Default 3600; fractions allowed. */
	tokenTtlSeconds?: number;
	/** How long every reply waits. Default 0. */
	latencyMs?: number;
	/** Faults from the start on, and again after a reset. Default none. */
	faults?: FaultPlan;
	/** Seed of the faults, where their plan has none. Default 1. */
	seed?: number;
	/** A kind of service whose manners it is to have. Default its own. */
	profile?: Profile;
}

/** The sandbox without its network: store, tokens, faults and log, and what can be done to them from outside of the API. */
export class SandboxCore implements Service {
	readonly log = new RequestLog();
	readonly store = new Store();
	readonly clients = CLIENTS;
	readonly tokens: Tokens;
	readonly profile: Profile | undefined;
	private readonly latencyMs: number;
	private readonly seed: number;
	private readonly initialFaults: FaultPlan;
	private draw: FaultDraw;
	private bucket: TokenBucket | undefined;

	/** @throws {FaultPlanError} if the faults have a mistake */
	constructor({ tokenTtlSeconds = 3600, latencyMs = 0, faults = {}, seed = 1, profile }: SandboxSettings) {
		this.latencyMs = latencyMs;
		this.seed = seed;
		this.initialFaults = faults;
		this.tokens = new Tokens(tokenTtlSeconds, profile?.newestTokenOnly);
		this.profile = profile;
		this.draw = this.apply(faults);
	}

	/**
	 * What is to go wrong with the next request.
	 * @param path without the query
	 * @param body as text
	 */
	drawFault(method: string, path: string, body: string): Draw {
		const { delayMs, fault } = this.draw.next(method, path, body);
		return { delayMs: delayMs + this.latencyMs, fault };
	}

	/** Counts the request against the rate limit, and returns the 429 if it comes too early. */
	rateLimitError(): ApiError | undefined {
		const seconds = this.bucket?.secondsToWait() ?? 0;
		if (seconds === 0) return undefined;
		const details = `At most ${this.bucket?.limit.perSecond} requests a second are accepted`;
		return new ApiError(429, 'Too many requests', details, { 'Retry-After': String(Math.ceil(seconds)) });
	}

	/** The reply to a request that has ended in an error, in the manners of the profile. */
	errorReply(error: ApiError, operationId: string | undefined): Reply {
		return this.profile ? replyOf(this.profile, error, operationId === 'login') : error.reply;
	}

	/** A copy of the store and the counters. */
	state(): SandboxState {
		return { ...structuredClone(this.store.view()), counters: this.log.counters() };
	}

	/** The latest requests, in the order in which they ended. */
	requests(): LoggedRequest[] {
		return this.log.list();
	}

	/** One of the latest requests, with its bodies. */
	request(id: number): (LoggedRequest & LoggedBodies) | undefined {
		return this.log.find(id);
	}

	/** Puts store, counters, log and faults back to how they were at the start. Tokens stay valid. */
	reset(): void {
		this.store.reset();
		this.log.clear();
		this.draw = this.apply(this.initialFaults);
	}

	faults(): FaultStatus {
		return { plan: this.draw.plan, counts: this.draw.counts() };
	}

	/**
	 * Replaces all faults, and starts drawing from the beginning.
	 * @throws {FaultPlanError} if the plan has a mistake
	 */
	setFaults(plan: FaultPlan): void {
		this.draw = this.apply(plan);
	}

	/**
	 * Replaces the rules of one fault, and starts drawing from the beginning. The new rule is the first, so that it is the
	 * one that is drawn. Rules whose `count` is used up are dropped.
	 * @param fault name of a fault, or `rateLimit`
	 * @param parameters of the fault, such as `{ count: 1 }`; undefined switches it off
	 * @throws {FaultPlanError} if there is no such fault, or a parameter has a mistake
	 */
	switchFault(fault: string, parameters: object | undefined): void {
		const { rateLimit, ...plan } = this.draw.plan;
		if (fault === 'rateLimit') {
			// checked when it is applied
			this.setFaults({ ...plan, ...(parameters && { rateLimit: parameters as RateLimit }) });
			return;
		}
		const rule = { fault, ...parameters } as FaultRule;
		requireFaultName(fault);
		if (rule.fault !== fault) throw new FaultPlanError(`"fault" is ${shown(rule.fault)}; expected "${fault}"`);
		const others = this.draw.rulesLeft().filter((other) => other.fault !== fault);
		this.setFaults({ ...plan, rules: parameters ? [rule, ...others] : others, ...(rateLimit && { rateLimit }) });
	}

	/** Makes every token issued so far invalid. */
	expireTokens(): void {
		this.tokens.expireAll();
	}

	/** Stores a gateway, in place of the one that has its id: the API itself can't change one. */
	putGateway(gateway: Gateway): void {
		this.store.putGateway(gateway);
	}

	/** Takes a gateway away, if there is one of that id. */
	removeGateway(id: string): void {
		this.store.removeGateway(id);
	}

	private apply(given: FaultPlan): FaultDraw {
		const plan = parseFaultPlan(given);
		this.bucket = plan.rateLimit && new TokenBucket(plan.rateLimit);
		this.tokens.usesPerToken = plan.rules?.find((rule) => rule.fault === 'tokenExpires')?.afterRequests ?? Infinity;
		return new FaultDraw(plan, this.seed);
	}
}
