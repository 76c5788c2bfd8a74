import { logDebug, type LogSubject } from '../../log';
import { CacheByKey } from './cacheByKey';
import type { CircuitBreaker, FailureDetails, Outage } from './circuitBreaker';
import { FairQueue, type RequestKind } from './fairQueue';
import { FlowController, type ServiceSignal } from './flowController';
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
	report: (signal: ServiceSignal, details?: FailureDetails) => void;
	/** Gives it back; with nothing said of the service unless that was reported before. */
	release: (signal?: ServiceSignal) => void;
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
	private readonly flow: FlowController;

	private inFlight = 0;

	private readonly queue = new FairQueue<Run, Waiter>();

	/** Logins that wait, by the run that began each. */
	private logins: Array<{ run: Run; resolve: Waiter['resolve'] }> = [];

	/** Permits given since the timer last fired. */
	private burst = 0;

	/** When the timer for those who wait is due. */
	private wakeAt = Infinity;

	/** When a permit was last released, or given beyond the limit, or a request came when there was none. */
	private lastProgressAt: number;

	/** @param log writes a line for who operates n8n */
	constructor(
		log: (message: string) => void = () => {},
		private readonly clock: Clock = time,
	) {
		this.flow = new FlowController(log, clock);
		this.lastProgressAt = clock.now();
	}

	/** How many requests may be in flight at present. */
	get limit(): number {
		return this.flow.limit;
	}

	/** Whether requests are sent, or wait for their service. To be read only. */
	get breaker(): CircuitBreaker {
		return this.flow.breaker;
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
			const delay = this.flow.delay(isLogin);
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
		if (now - this.lastProgressAt > FORGET_AFTER_MS) this.flow.forget();
		this.lastProgressAt = now;
	}

	/** Takes away the runs that have waited for the service for as long as they may. */
	private removeExpired(): void {
		if (!this.outage) return;
		const { since } = this.outage;
		const longest = this.flow.hasAnswered ? Infinity : MAX_WAIT_UNKNOWN_MS;
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
		const number = this.flow.recordSent();
		const kind = run ? (isRepeatable ? 'repeatable' : 'create') : 'login';
		let isReleased = false;
		const permit = {
			number,
			isReported: false,
			report: (signal: ServiceSignal, details?: FailureDetails) => {
				if (permit.isReported) return;
				permit.isReported = true;
				this.lastProgressAt = this.clock.now();
				this.flow.record({ number, kind, isRetry }, signal, this.inFlight, details);
			},
			release: (signal: ServiceSignal = 'ignore') => {
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
