import { AdaptiveLimit } from './adaptiveLimit';
import { RequestPacer } from './requestPacer';
import { type Clock, systemClock } from './time';

/**
 * Permits given before the event loop has a turn. Responses that arrive together make room together: if all requests
 * that follow were sent at once, their responses would arrive together again, and the run would work and wait by turns.
 * 1,000 items with responses after 300 ms took 3.9 s, and take 3.0 s like this.
 */
const MAX_BURST = 4;

/** Longest timer, in milliseconds: how long it may stay behind when all who waited have gone. */
const SLICE_MS = 200;

/** What a request says of the service: that it keeps up, nothing, or that it is overloaded. */
export type LimiterSignal = 'success' | 'ignore' | 'dropped';

/** A permit to send one request. */
export interface Permit {
	/**
	 * Gives it back, with what the request said of the service. Only the first call counts.
	 *
	 * @param pauseMs how long the service asks all requests of the key to wait; undefined for not at all
	 */
	release: (signal: LimiterSignal, pauseMs?: number) => void;
}

/** A node run or a poll, which several limiters may give permits to. */
export interface Run {
	/** Permits that it holds. */
	inFlight: number;
	/** Whether its own bound allows one more. */
	readonly hasRoom: boolean;
	/** One of its permits has been released: calls `admit` of all its limiters. */
	released: () => void;
}

type Waiter = (permit: Permit | undefined) => void;

/** The requests of a run that wait for a permit. */
interface Waiting {
	/** Requests that are sent again; they go first. */
	retries: Waiter[];
	firstAttempts: Waiter[];
}

/**
 * Limits the requests of all runs with one API key to one service: how many are in flight, how quickly they follow each
 * other, and none while the service asks to wait. Permits go round the runs that wait, one to each, so that a single
 * item is not behind all items of another run.
 */
export class ConcurrencyLimiter {
	private readonly adaptive = new AdaptiveLimit();

	private readonly pacer: RequestPacer;

	private inFlight = 0;

	/** The run whose turn is next comes first. */
	private readonly waiting = new Map<Run, Waiting>();

	/** Logins that wait. */
	private readonly logins: Waiter[] = [];

	/** Overloads so far. Of the requests that were sent before one, none counts as another. */
	private overloads = 0;

	/** When the pause that the service has asked for is over; undefined for none. */
	private pausedUntil?: number;

	/** Permits given since the event loop had a turn. */
	private burst = 0;

	/** Whether a timer is set for those who wait. */
	private isScheduled = false;

	/** When the last permit was released. */
	private usedAt: number;

	/** @param log writes a line for who operates n8n */
	constructor(
		private readonly log: (message: string) => void = () => {},
		private readonly clock: Clock = systemClock,
	) {
		this.pacer = new RequestPacer(clock);
		this.usedAt = clock.now();
	}

	/** How many requests may be in flight at present. */
	get limit(): number {
		return this.adaptive.current;
	}

	/** For how long no request has been in flight or waited, in milliseconds; undefined while one is, or does. */
	get idleMs(): number | undefined {
		return this.isIdle ? this.clock.now() - this.usedAt : undefined;
	}

	private get isIdle(): boolean {
		return this.inFlight === 0 && this.waiting.size === 0 && this.logins.length === 0;
	}

	/** Waits for a permit for a run. @returns undefined when the run is removed meanwhile */
	async acquire(run: Run, isRetry: boolean): Promise<Permit | undefined> {
		return await this.enqueue((waiter) => {
			const waiting = this.waiting.get(run) ?? { retries: [], firstAttempts: [] };
			this.waiting.set(run, waiting);
			(isRetry ? waiting.retries : waiting.firstAttempts).push(waiter);
		});
	}

	/** Waits for a permit to log in: before all others and beyond the limit, as requests in flight may need the login. */
	async acquireForLogin(): Promise<Permit> {
		// Of no run, it is never removed.
		return (await this.enqueue((waiter) => this.logins.push(waiter)))!;
	}

	/** Takes away a run's requests that wait; they get no permit. */
	remove(run: Run): void {
		const { retries = [], firstAttempts = [] } = this.waiting.get(run) ?? {};
		this.waiting.delete(run);
		for (const waiter of [...retries, ...firstAttempts]) waiter(undefined);
	}

	/** Gives permits to those who wait, as far as there are any. */
	admit(): void {
		for (let next = this.next(); next; next = this.next()) {
			const delay = this.pauseLeft() || this.pacer.delay;
			if (delay > 0 || this.burst === MAX_BURST) return this.schedule(delay);
			next();
		}
	}

	private async enqueue(add: (waiter: Waiter) => void): Promise<Permit | undefined> {
		if (this.isIdle && this.pauseLeft() === 0) this.pacer.start();
		return await new Promise((resolve) => {
			add(resolve);
			this.admit();
		});
	}

	/** Milliseconds until the pause that the service has asked for is over; 0 for no pause. */
	private pauseLeft(): number {
		if (this.pausedUntil === undefined) return 0;
		const left = this.pausedUntil - this.clock.now();
		if (left > 0) return left;
		this.pacer.pauseEnded(this.pausedUntil);
		this.log(`pause is over; at most ${this.pacer.rate.toFixed(1)} requests a second`);
		this.pausedUntil = undefined;
		return 0;
	}

	/** How the next permit is given; undefined when nobody may have one. */
	private next(): (() => void) | undefined {
		if (this.logins.length > 0) return () => this.logins.shift()!(this.permit());
		if (this.inFlight >= this.limit) return undefined;
		for (const [run, waiting] of this.waiting) {
			if (run.hasRoom) return () => this.give(run, waiting);
		}
		return undefined;
	}

	private give(run: Run, waiting: Waiting): void {
		const { retries, firstAttempts } = waiting;
		const waiter = retries.shift() ?? firstAttempts.shift()!;
		// Set again it comes last, as a Map keeps the order of insertion.
		this.waiting.delete(run);
		if (retries.length + firstAttempts.length > 0) this.waiting.set(run, waiting);
		run.inFlight++;
		waiter(this.permit(run));
	}

	/** @param run none for a login */
	private permit(run?: Run): Permit {
		this.inFlight++;
		this.burst++;
		this.adaptive.recordSent(this.inFlight);
		this.pacer.recordSent();
		const sentAfter = this.overloads;
		let isReleased = false;
		return {
			release: (signal, pauseMs) => {
				if (isReleased) return;
				isReleased = true;
				this.inFlight--;
				this.usedAt = this.clock.now();
				this.learn(signal, pauseMs, sentAfter);
				if (run) run.released();
				else this.admit();
			},
		};
	}

	/** @param sentAfter overloads when the request was sent */
	private learn(signal: LimiterSignal, pauseMs: number | undefined, sentAfter: number): void {
		const { limit, overloads } = this;
		const now = this.clock.now();
		if (signal === 'success') {
			this.pacer.recordSuccess();
			this.adaptive.recordSuccess(this.inFlight, now);
		}
		if (signal === 'dropped' && sentAfter === overloads) {
			this.overloads++;
			this.adaptive.recordDropped(this.inFlight, now);
		}
		if (this.limit !== limit) this.log(`limit of concurrent requests ${limit} → ${this.limit}`);
		if (pauseMs === undefined) return;
		if (sentAfter === overloads) {
			this.log(`service asks to wait ${Math.round(pauseMs)} ms`);
			this.pacer.pauseStarted(this.limit);
		}
		this.pausedUntil = Math.max(this.pausedUntil ?? now, now + pauseMs);
	}

	private schedule(delay: number): void {
		if (this.isScheduled) return;
		this.isScheduled = true;
		void this.clock.sleep(Math.min(delay, SLICE_MS)).then(() => {
			this.isScheduled = false;
			this.burst = 0;
			this.admit();
		});
	}
}
