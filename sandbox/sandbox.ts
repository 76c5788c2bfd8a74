import { Api } from './api';
import { ApiError } from './apiError';
import { Books } from './books';
import type { BooksSnapshot } from './books';
import { FaultDraw } from './faults/draw';
import type { Draw, RuleCount } from './faults/draw';
import { FaultPlanError, parseFaultPlan, requireFaultName } from './faults/parsePlan';
import type { FaultPlan, FaultRule, RateLimit } from './faults/schema';
import { RateLimiter } from './faults/rateLimit';
import { Changes } from './live/changes';
import type { Service } from './operations';
import type { Gateway } from './records';
import { RequestLog } from './requestLog';
import type { LoggedRequest, RequestCounters } from './requestLog';
import { shown } from './schema';
import { createSeed } from './seed';
import { Tokens } from './tokens';

/** What a sandbox holds at a moment. */
export interface SandboxState extends BooksSnapshot {
	counters: RequestCounters;
}

/** The plan in force, and for each of its rules how many requests it matched and struck. */
export interface FaultStatus {
	plan: FaultPlan;
	counts: RuleCount[];
}

/** What can be done to a sandbox from outside of the API, in process or through the control paths. */
export interface SandboxControls {
	/** A copy of the books and the counters. */
	state(): SandboxState;
	/** The latest requests, in the order in which they ended. */
	requests(): LoggedRequest[];
	/** Puts books, counters, log and faults back to how they were at the start. Tokens stay valid. */
	reset(): void;
	faults(): FaultStatus;
	/**
	 * Replaces all faults, and starts drawing from the beginning.
	 * @throws {FaultPlanError} if the plan has a mistake
	 */
	setFaults(plan: FaultPlan): void;
	/**
	 * Replaces the rules of one fault, and leaves the others as they are, with what they have counted. The new rule is
	 * the first, so that it is the one that strikes. Rules whose `count` is used up are dropped.
	 * @param fault name of a fault, or `rateLimit`
	 * @param parameters of the fault, such as `{ count: 1 }`; undefined switches it off
	 * @throws {FaultPlanError} if there is no such fault, or a parameter has a mistake
	 */
	switchFault(fault: string, parameters: object | undefined): void;
	/** Makes every token issued so far invalid. */
	expireTokens(): void;
	/** Stores a gateway, in place of the one that has its id: the API itself can't change one. */
	putGateway(gateway: Gateway): void;
	/** Takes a gateway away, if there is one of that id. */
	removeGateway(id: string): void;
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
	/** Header that carries the token. Default Authorization. */
	authHeaderName?: string;
	/** Word before the token in that header; empty for the bare token. Default Bearer. */
	authHeaderPrefix?: string;
}

/** The sandbox without its network: the API with its books, tokens, faults and log. */
export class SandboxCore implements SandboxControls {
	readonly changes = new Changes();
	readonly log = new RequestLog(this.changes);
	readonly service: Service;
	readonly authHeaderName: string;
	/** What was set for good when the sandbox was started. */
	readonly settings: { latencyMs: number; tokenTtlSeconds: number };
	private readonly seed: number;
	private readonly initialFaults: FaultPlan;
	private draw: FaultDraw;
	private limiter: RateLimiter | undefined;

	/** @throws {FaultPlanError} if the faults have a mistake */
	constructor(
		readonly api: Api,
		settings: SandboxSettings,
	) {
		const { tokenTtlSeconds = 3600, authHeaderName = 'Authorization', authHeaderPrefix = 'Bearer' } = settings;
		this.authHeaderName = authHeaderName;
		this.settings = { latencyMs: settings.latencyMs ?? 0, tokenTtlSeconds };
		this.seed = settings.seed ?? 1;
		this.initialFaults = settings.faults ?? {};
		this.service = {
			books: new Books(this.changes),
			clients: createSeed().clients,
			tokens: new Tokens(tokenTtlSeconds, authHeaderName, authHeaderPrefix),
		};
		this.draw = this.apply(this.initialFaults);
	}

	/**
	 * What is to go wrong with the next request.
	 * @param path without the query
	 * @param body as text
	 */
	drawFault(method: string, path: string, body: string): Draw {
		const { delayMs, fault } = this.draw.next(method, path, body);
		return { delayMs: delayMs + this.settings.latencyMs, fault };
	}

	/** Counts the request against the rate limit, and returns the 429 if it comes too early. */
	refuseTooEarly(): ApiError | undefined {
		const seconds = this.limiter?.secondsToWait() ?? 0;
		if (seconds === 0) return undefined;
		return new ApiError(429, 'Too many requests', `At most ${this.limiter?.limit.perSecond} requests a second are accepted`, {
			'Retry-After': String(Math.ceil(seconds)),
		});
	}

	state(): SandboxState {
		return { ...this.service.books.snapshot(), counters: this.log.counters() };
	}

	requests(): LoggedRequest[] {
		return this.log.list();
	}

	reset(): void {
		const { books } = this.service;
		const undone = { requests: this.log.counters().requests, customers: books.customerCount, premiumCountries: books.premiumCount };
		books.reset();
		this.log.clear();
		this.draw = this.apply(this.initialFaults);
		this.changes.tell({ kind: 'reset', undone });
	}

	faults(): FaultStatus {
		return { plan: this.draw.plan, counts: this.draw.counts() };
	}

	setFaults(plan: FaultPlan): void {
		this.draw = this.apply(plan);
		this.changes.tell({ kind: 'faults' });
	}

	switchFault(fault: string, parameters: object | undefined): void {
		const { rateLimit, ...plan } = this.draw.plan;
		if (fault === 'rateLimit') {
			// checked when it is applied
			this.draw = this.apply({ ...plan, ...(parameters && { rateLimit: parameters as RateLimit }) }, this.draw);
		} else {
			const rule = { fault, ...parameters } as FaultRule;
			requireFaultName(fault);
			if (rule.fault !== fault) throw new FaultPlanError(`"fault" is ${shown(rule.fault)}; accepted is "${fault}"`);
			const others = this.draw.rulesWithStrikesLeft().filter((other) => other.fault !== fault);
			const rules = parameters ? [rule, ...others] : others;
			this.draw = this.apply({ ...plan, rules, ...(rateLimit && { rateLimit }) }, this.draw);
		}
		this.changes.tell({ kind: 'faults' });
	}

	expireTokens(): void {
		this.service.tokens.expireAll();
	}

	putGateway(gateway: Gateway): void {
		this.service.books.putGateway(gateway);
	}

	removeGateway(id: string): void {
		this.service.books.removeGateway(id);
	}

	/** @param before whose rules go on counting where they are in the plan too */
	private apply(given: FaultPlan, before?: FaultDraw): FaultDraw {
		const plan = parseFaultPlan(given);
		if (!before || plan.rateLimit !== before.plan.rateLimit) this.limiter = plan.rateLimit && new RateLimiter(plan.rateLimit);
		const expiry = plan.rules?.find((rule) => rule.fault === 'tokenExpires');
		this.service.tokens.usesPerToken = expiry?.afterRequests ?? Infinity;
		return new FaultDraw(plan, this.seed, before);
	}
}
