import { AdaptiveLimit } from './adaptiveLimit';
import { FairQueue } from './fairQueue';
import { RequestPacer } from './requestPacer';
import { type Clock, systemClock } from './time';

/**
 * Permits given before the event loop has a turn. Responses that arrive together make room together: if all requests
 * that follow were sent at once, their responses would arrive together again, and the run would work and wait by turns.
 * 1,000 items with responses after 300 ms took 3.9 s, and take 3.0 s like this.
 */
const MAX_BURST = 4;

/** How often it is looked whether those who wait may go on, in milliseconds. */
const SLICE_MS = 200;

/**
 * After so long without a response, a run that has no request in flight gets a permit beyond the limit, in milliseconds:
 * requests that hang, up to their time-out of minutes, are not to hold all other runs.
 */
const STALLED_MS = 5_000;

/** After so long without a success, a pause more is one too many: those who wait are sent away, in milliseconds. */
const GIVE_UP_MS = 180_000;

/** What a request says of the service: that it keeps up, nothing, that it may be overloaded, or says so by a 429. */
export type LimiterSignal = 'success' | 'ignore' | 'failed' | 'dropped';

/** A pause that the service asks for. */
export interface Pause {
	ms: number;
	/** Whether it holds all requests of the key, as after a 429, and not those of the run alone, as after a 503. */
	isForKey: boolean;
}

/** A permit to send one request. */
export interface Permit {
	/** Gives it back, with what the request said of the service. Only the first call counts. */
	release: (signal: LimiterSignal, pause?: Pause) => void;
}

/** A node run or a poll, which several limiters may give permits to. */
export interface Run {
	/** Permits that it holds. */
	inFlight: number;
	/** Whether its own bound, and its own pause, allow one more. */
	readonly hasRoom: boolean;
	/** Holds its requests for so many milliseconds. */
	pause: (ms: number) => void;
	/** One of its permits has been released: calls `admit` of all its limiters. */
	released: () => void;
}

type Waiter = (permit: Permit | undefined) => void;

/**
 * Limits the requests of all runs with one API key to one service: how many are in flight, how quickly they follow each
 * other, and none while the service asks to wait. Permits go round the runs that wait, one to each, so that a single
 * item is not behind all items of another run.
 */
export class ConcurrencyLimiter {
	private readonly adaptive = new AdaptiveLimit();

	private readonly pacer: RequestPacer;

	private inFlight = 0;

	private readonly queue = new FairQueue<Run, Waiter>();

	/** Logins that wait. */
	private readonly logins: Waiter[] = [];

	/** Overloads so far. Of the requests that were sent before one, none counts as another. */
	private overloads = 0;

	/** The same of pauses: of a burst that is rejected, each request asks for one. */
	private pauses = 0;

	/** When the service first asked to wait since it last processed a request. */
	private overloadedSince?: number;

	/** When the pause that the service has asked for is over; undefined for none. */
	private pausedUntil?: number;

	/** Permits given since the event loop had a turn. */
	private burst = 0;

	/** When the timer for those who wait is due. */
	private wakeAt = Infinity;

	/** When the last permit was released, or the first request came after there were none. */
	private activeAt: number;

	/** @param log writes a line for who operates n8n */
	constructor(
		private readonly log: (message: string) => void = () => {},
		private readonly clock: Clock = systemClock,
	) {
		this.pacer = new RequestPacer(clock);
		this.activeAt = clock.now();
	}

	/** How many requests may be in flight at present. */
	get limit(): number {
		return this.adaptive.current;
	}

	/** For how long no request has been in flight or waited, in milliseconds; undefined while one is, or does. */
	get idleMs(): number | undefined {
		return this.isIdle && this.pauseLeft() === 0 ? this.clock.now() - this.activeAt : undefined;
	}

	private get isIdle(): boolean {
		return this.inFlight === 0 && this.isNobodyWaiting;
	}

	private get isNobodyWaiting(): boolean {
		return this.queue.isEmpty && this.logins.length === 0;
	}

	/** Waits for a permit for a run. @returns undefined when the run is removed, or the service asks to wait again and again */
	async acquire(run: Run, isRetry: boolean): Promise<Permit | undefined> {
		return await this.enqueue((waiter) => this.queue.add(run, waiter, isRetry));
	}

	/** Waits for a permit to log in: before all others and beyond the limit, as requests in flight may need the login. */
	async acquireForLogin(): Promise<Permit> {
		// Of no run, it is never removed.
		return (await this.enqueue((waiter) => this.logins.push(waiter)))!;
	}

	/** Takes away a run's requests that wait; they get no permit. */
	remove(run: Run): void {
		for (const waiter of this.queue.remove(run)) waiter(undefined);
	}

	/** Gives permits to those who wait, as far as there are any. */
	admit(): void {
		while (!this.isNobodyWaiting) {
			const run = this.nextRun();
			const delay = run || this.logins.length > 0 ? this.pauseLeft() || this.pacer.delay : SLICE_MS;
			if (delay > 0 || this.burst === MAX_BURST) return this.schedule(delay);
			this.give(run);
		}
	}

	private async enqueue(add: (waiter: Waiter) => void): Promise<Permit | undefined> {
		if (this.isIdle) {
			this.activeAt = this.clock.now();
			if (this.pauseLeft() === 0) this.pacer.start();
		}
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

	/** The run whose turn it is; undefined when a login is to go first, or no run may have a permit. */
	private nextRun(): Run | undefined {
		if (this.logins.length > 0) return undefined;
		const isFull = this.inFlight >= this.limit;
		if (isFull && this.clock.now() - this.activeAt < STALLED_MS) return undefined;
		return this.queue.next((run) => run.hasRoom && (!isFull || run.inFlight === 0));
	}

	/** @param run none for a login */
	private give(run?: Run): void {
		if (!run) return this.logins.shift()!(this.permit());
		// Beyond the limit, one after the other.
		if (this.inFlight >= this.limit) this.activeAt = this.clock.now() - STALLED_MS + SLICE_MS;
		const { waiter, isRetry } = this.queue.take(run);
		run.inFlight++;
		waiter(this.permit(run, isRetry));
	}

	/** @param run none for a login */
	private permit(run?: Run, isRetry = false): Permit {
		this.inFlight++;
		this.burst++;
		this.adaptive.recordSent(this.inFlight);
		this.pacer.recordSent();
		const { overloads, pauses } = this;
		let isReleased = false;
		return {
			release: (signal, pause) => {
				if (isReleased) return;
				isReleased = true;
				this.inFlight--;
				this.activeAt = this.clock.now();
				// An item that fails again says no more of the service than before.
				const isNew = overloads === this.overloads && !(isRetry && signal === 'failed' && !pause);
				this.learn(signal, pause, isNew);
				if (pause) this.startPause(pause, pauses === this.pauses, run);
				if (run) run.released();
				else this.admit();
			},
		};
	}

	/** @param isNew whether it says something new: of the requests that were sent before an overload none does */
	private learn(signal: LimiterSignal, pause: Pause | undefined, isNew: boolean): void {
		const { limit } = this;
		const now = this.clock.now();
		if (signal === 'success') {
			this.overloadedSince = undefined;
			this.pacer.recordSuccess();
			this.adaptive.recordSuccess(this.inFlight, now);
		}
		const isCertain = signal === 'dropped' || pause !== undefined;
		if ((isCertain || signal === 'failed') && isNew && this.adaptive.recordDropped(this.inFlight, now, isCertain)) this.overloads++;
		if (this.limit !== limit) this.log(`limit of concurrent requests ${limit} → ${this.limit}`);
	}

	/** @param isNew whether the request was sent after the last pause */
	private startPause({ ms, isForKey }: Pause, isNew: boolean, run?: Run): void {
		const now = this.clock.now();
		// A part of the service that is down does not hold the others; without a success since the last time, all of it is.
		if (run && !isForKey && (!isNew || this.overloadedSince === undefined)) {
			if (isNew) this.noteOverload(now);
			return run.pause(ms);
		}
		if (isNew) {
			this.log(`service asks to wait ${Math.round(ms)} ms`);
			this.pacer.pauseStarted(this.limit);
			this.noteOverload(now);
		}
		this.pausedUntil = Math.max(this.pausedUntil ?? now, now + ms);
	}

	private noteOverload(now: number): void {
		this.pauses++;
		this.overloadedSince ??= now;
		if (now - this.overloadedSince < GIVE_UP_MS) return;
		this.log('service asks to wait again and again; requests that wait are given up');
		for (const run of this.queue.runs) this.remove(run);
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
