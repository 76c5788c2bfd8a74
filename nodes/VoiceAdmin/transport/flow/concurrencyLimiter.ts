import { AdaptiveLimit } from './adaptiveLimit';
import { CacheByKey } from './cacheByKey';
import { type Cause, CircuitBreaker, type FailureDetails, type Outage, type ProbeKind } from './circuitBreaker';
import { FairQueue, type RequestKind } from './fairQueue';
import { logDebug, type LogSubject } from './log';
import { RequestPacer } from './requestPacer';
import { type Clock, SLICE_MS, time } from './time';

/**
 * Permits given before the event loop has a turn. Responses that arrive together make room together: if all requests
 * that follow were sent at once, their responses would arrive together again, and the run would work and wait by turns.
 * 1,000 items with responses after 300 ms took 3.9 s, and take 3.0 s like this.
 */
const MAX_BURST = 4;

/**
 * After so long without a response, a run that has no request in flight gets a permit beyond the limit, in milliseconds:
 * requests that hang, up to their time-out of minutes, are not to hold all other runs.
 */
const STALLED_MS = 5_000;

/** After so long without a request, what is known of the service's limits is forgotten, in milliseconds. */
const FORGET_AFTER_MS = 60_000;

/** How long requests wait at the most where nothing has answered yet, in milliseconds: the address may be wrong. */
const MAX_WAIT_UNKNOWN_MS = 10_000;

/** What a request says of the service. */
export type LimiterSignal =
	/** It keeps up. */
	| 'success'
	/** It is there, and has failed: a 500, or a token that it does not accept. */
	| 'answered'
	/** Nothing. */
	| 'ignore'
	| Cause;

/** A node run or a poll, which several limiters may give permits to. */
export interface Run {
	/** Permits that it holds. */
	inFlight: number;
	/** Whether its own bound allows one more request. */
	readonly hasRoom: boolean;
	/** Until when it waits for a service that has been away since then. @param longest time that anybody may wait, in milliseconds */
	waitsUntil: (since: number, longest: number) => number;
	/** To be called when one of its permits has been released: another limiter may have requests of it that wait. */
	released: () => void;
}

/** A permit to send one request. */
export interface Permit {
	/** In the order in which requests are sent. */
	number: number;
	/** Whether it is known what the request said of the service. */
	readonly isReported: boolean;
	/** Notes what the request said of the service. Only the first call counts. */
	report: (signal: LimiterSignal, details?: FailureDetails) => void;
	/** Gives it back; with nothing said of the service unless that was reported before. */
	release: (signal?: LimiterSignal) => void;
}

/**
 * A permit; `logInFirst` where a login has to show that the service is there, as the request can't be repeated; undefined
 * where the request is not to be sent.
 */
export type Acquired = Permit | 'logInFirst' | undefined;

interface Waiter extends RequestKind {
	resolve: (acquired: Acquired) => void;
}

/**
 * Limits the requests of all runs with one API key to one service: how many are in flight, how quickly they follow each
 * other, and none but a probe while the service is away or asks to wait. Permits go round the runs that wait, one to each,
 * so that a single item is not behind all items of another run.
 */
export class ConcurrencyLimiter {
	private adaptive = new AdaptiveLimit();

	private pacer: RequestPacer;

	/** Whether requests are sent, or wait for their service. To be read only. */
	readonly breaker: CircuitBreaker;

	private inFlight = 0;

	private readonly queue = new FairQueue<Run, Waiter>();

	/** Logins that wait, by the run that began each. */
	private logins: Array<{ run: Run; resolve: Waiter['resolve'] }> = [];

	/** Number of the last request that was sent. */
	private sent = 0;

	/** The same when the limit was lowered: what was in flight together counts once. */
	private sentBeforeLowered = 0;

	/** Whether anything has ever answered at this address. */
	private hasAnswered = false;

	/** Permits given since the timer last fired. */
	private burst = 0;

	/** When the timer for those who wait is due. */
	private wakeAt = Infinity;

	/** When a permit was last released, or given beyond the limit, or a request came when there was none. */
	private lastProgressAt: number;

	/** @param log writes a line for who operates n8n */
	constructor(
		private readonly log: (message: string) => void = () => {},
		private readonly clock: Clock = time,
	) {
		this.pacer = new RequestPacer(clock);
		this.breaker = new CircuitBreaker(clock);
		this.lastProgressAt = clock.now();
	}

	/** How many requests may be in flight at present. */
	get limit(): number {
		return this.adaptive.current;
	}

	/** The time in which requests wait for their service; undefined while they are sent. */
	get outage(): Readonly<Outage> | undefined {
		return this.breaker.outage;
	}

	/** Whether no request is in flight or waits. */
	get isIdle(): boolean {
		return this.inFlight === 0 && !this.hasWaiting;
	}

	private get hasWaiting(): boolean {
		return !this.queue.isEmpty || this.logins.length > 0;
	}

	/** Waits for a permit for a run. @returns undefined when the run is removed, or has waited for the service for as long as it may */
	async acquire(run: Run, kind: RequestKind): Promise<Acquired> {
		return await this.enqueue((resolve) => this.queue.add(run, { ...kind, resolve }));
	}

	/** Waits for a permit to log in: before all others and beyond the limit, as requests in flight may need the login. */
	async acquireForLogin(run: Run): Promise<Permit | undefined> {
		return (await this.enqueue((resolve) => this.logins.push({ run, resolve }))) as Permit | undefined;
	}

	/** Takes away a run's requests and logins that wait; they get no permit. */
	remove(run: Run): void {
		const logins = this.logins.filter((login) => login.run === run);
		this.logins = this.logins.filter((login) => login.run !== run);
		for (const { resolve } of [...this.queue.remove(run), ...logins]) resolve(undefined);
		// The login that was to be the probe may have been this run's.
		if (this.logins.length === 0) this.breaker.recordNothing('login');
	}

	/** Gives permits to those who wait, as far as there are any. */
	admit(): void {
		this.removeExpired();
		while (this.hasWaiting) {
			const isLogin = this.logins.length > 0;
			const run = isLogin ? undefined : this.nextRun();
			if (!isLogin && !run) return this.schedule(SLICE_MS);
			const delay = this.breaker.dueIn(isLogin) || this.pacer.delay;
			if (delay > 0 || this.burst === MAX_BURST) return this.schedule(delay);
			if (run) this.give(run);
			else this.logins.shift()!.resolve(this.permit());
		}
	}

	private async enqueue(add: (resolve: Waiter['resolve']) => void): Promise<Acquired> {
		if (this.isIdle) this.startAfterIdle();
		return await new Promise((resolve) => {
			add(resolve);
			this.admit();
		});
	}

	private startAfterIdle(): void {
		const now = this.clock.now();
		if (now - this.lastProgressAt > FORGET_AFTER_MS) {
			this.adaptive = new AdaptiveLimit();
			this.pacer = new RequestPacer(this.clock);
		}
		this.lastProgressAt = now;
	}

	/** Takes away the runs that have waited for the service for as long as they may. */
	private removeExpired(): void {
		if (!this.outage) return;
		const { since } = this.outage;
		const longest = this.hasAnswered ? Infinity : MAX_WAIT_UNKNOWN_MS;
		for (const run of new Set([...this.queue.runs, ...this.logins.map((login) => login.run)])) {
			if (this.clock.now() >= run.waitsUntil(since, longest)) this.remove(run);
		}
	}

	/** The run whose turn it is; undefined when none may have a permit. */
	private nextRun(): Run | undefined {
		// A 429 costs a create nothing.
		if (this.outage) return this.queue[this.outage.cause === 'unavailable' ? 'nextProbe' : 'next']((run) => run.hasRoom);
		const isFull = this.inFlight >= this.limit;
		if (isFull && this.clock.now() - this.lastProgressAt < STALLED_MS) return undefined;
		return this.queue.next((run) => run.hasRoom && (!isFull || run.inFlight === 0));
	}

	private give(run: Run): void {
		const waiter = this.outage ? this.queue.take(run, ['firstAttempts', 'retries']) : this.queue.take(run);
		if (!waiter.isRepeatable && this.breaker.needsLogin) {
			this.breaker.recordProbe('login');
			return waiter.resolve('logInFirst');
		}
		// At most one permit beyond the limit per slice.
		if (this.inFlight >= this.limit) this.lastProgressAt = this.clock.now() - STALLED_MS + SLICE_MS;
		run.inFlight++;
		waiter.resolve(this.permit(run, waiter));
	}

	/** @param run none for a login */
	private permit(run?: Run, { isRetry, isRepeatable }: RequestKind = {}): Permit {
		this.inFlight++;
		this.burst++;
		const number = ++this.sent;
		this.breaker.recordProbe(number);
		this.pacer.recordSent();
		let isReleased = false;
		const permit = {
			number,
			isReported: false,
			report: (signal: LimiterSignal, details?: FailureDetails) => {
				if (permit.isReported) return;
				permit.isReported = true;
				this.lastProgressAt = this.clock.now();
				if (signal === 'ignore') this.breaker.recordNothing(number);
				else if (signal === 'success' || signal === 'answered') this.learnAnswer(number, !run, signal);
				else this.learnFailure(number, run ? (isRepeatable ? 'repeatable' : 'create') : 'login', isRetry, signal, details);
			},
			release: (signal: LimiterSignal = 'ignore') => {
				permit.report(signal);
				if (isReleased) return;
				isReleased = true;
				this.inFlight--;
				if (!run) return this.admit();
				run.inFlight--;
				run.released();
			},
		};
		return permit;
	}

	private learnAnswer(number: number, isLogin: boolean, signal: 'success' | 'answered'): void {
		const now = this.clock.now();
		this.hasAnswered = true;
		const over = this.breaker.recordAnswer(number, isLogin);
		if (over) {
			this.pacer.restart();
			// What was in flight is as much as it bears for certain.
			if (number > over.sentBefore && over.cause === 'unavailable') this.adaptive.restart();
			const pace = this.pacer.rate === Infinity ? '' : `; at most ${this.pacer.rate.toFixed(1)} requests a second`;
			this.log(`service answers again after ${Math.round(now - over.since)} ms${pace}`);
		}
		if (signal === 'answered') return;
		this.pacer.recordSuccess();
		this.adaptive.recordSuccess(this.inFlight, now);
	}

	private learnFailure(number: number, kind: ProbeKind, isRetry: boolean | undefined, cause: Cause, details: FailureDetails = {}): void {
		const { status } = details;
		// By these, as well as by 429, a service may say that it has too many requests: nginx limits them by 503.
		const isOverloaded = status === 503 || status === 529;
		if (status !== undefined) this.hasAnswered = true;
		if (!this.outage && isOverloaded) this.pacer.recordOverload();
		const isRateLimited = cause === 'rateLimited';
		const mayBeOverloaded = isOverloaded || (status === undefined && !isRateLimited);
		// A retry that fails again may be the item's fault.
		if (!this.outage && !isRetry && mayBeOverloaded && number > this.sentBeforeLowered) this.lower();
		if (!this.breaker.recordFailure(number, this.sent, kind, cause, details)) return;
		if (this.outage?.failures === 1 && (isRateLimited || isOverloaded)) this.pacer.recordRejection(isRateLimited);
		const reason = isRateLimited ? 'service asks to wait' : `service is away (${status ?? 'no answer'})`;
		this.log(`${reason}; requests wait ${Math.round(this.breaker.dueIn())} ms`);
	}

	private lower(): void {
		const { limit } = this;
		if (!this.adaptive.recordFailure(this.clock.now())) return;
		this.sentBeforeLowered = this.sent;
		this.log(`limit of concurrent requests ${limit} → ${this.limit}`);
	}

	private schedule(delay: number): void {
		const now = this.clock.now();
		const at = now + Math.min(delay, SLICE_MS);
		if (this.wakeAt <= at) return;
		this.wakeAt = at;
		void this.clock.sleep(at - now).then(() => {
			if (this.wakeAt !== at) return;
			this.wakeAt = Infinity;
			this.burst = 0;
			this.admit();
		});
	}
}

const limiters = new CacheByKey<ConcurrencyLimiter>(({ isIdle }) => !isIdle);

/**
 * The limiter of a service and API key in this process: the same for every node, execution and item with that key, and that
 * connects in the same way. @param connection what is a node's own of its way to the service, as of its proxy nobody else is to be held
 */
export function limiterOf(key: LogSubject, connection: object = {}): ConcurrencyLimiter {
	return limiters.get(key.fingerprint + JSON.stringify(connection), () => new ConcurrencyLimiter((message) => logDebug(key, message)));
}
