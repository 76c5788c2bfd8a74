import { AdaptiveLimit } from './adaptiveLimit';
import { FairQueue } from './fairQueue';
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

/** When the service has done nothing but ask for pauses for so long, its next pause fails all waiting requests, in milliseconds. */
const GIVE_UP_MS = 180_000;

/** What a request says of the service. */
export type LimiterSignal =
	/** It keeps up. */
	| 'success'
	/** Nothing. */
	| 'ignore'
	/** It may be overloaded: a 503, a broken connection, a time-out. */
	| 'failed'
	/** It says that it is: a 429, or a 503 with `Retry-After`. */
	| 'dropped';

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
	/** To be called when one of its permits has been released: another limiter may have requests of it that wait. */
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

	/** How often so far. A request that was sent before the last one says nothing new: a rejected burst counts once. */
	private readonly counts = { overloads: 0, pauses: 0, keyPauses: 0 };

	/** When the service first asked to wait since it last gave any other answer. */
	private pausedWithoutAnswerSince?: number;

	/** When the pause that the service has asked for is over; undefined for none. */
	private pausedUntil?: number;

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
		this.lastProgressAt = clock.now();
	}

	/** How many requests may be in flight at present. */
	get limit(): number {
		return this.adaptive.current;
	}

	/** For how long no request has been in flight or waited, in milliseconds; undefined while one is, or does. */
	get idleMs(): number | undefined {
		return this.isIdle ? this.clock.now() - this.lastProgressAt : undefined;
	}

	private get isIdle(): boolean {
		return this.inFlight === 0 && !this.hasWaiting;
	}

	private get hasWaiting(): boolean {
		return !this.queue.isEmpty || this.logins.length > 0;
	}

	/** Waits for a permit for a run. @returns undefined when the run is removed, or the service asks to wait again and again */
	async acquire(run: Run, isRetry?: boolean): Promise<Permit | undefined> {
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
		while (this.hasWaiting) {
			const isLogin = this.logins.length > 0;
			const run = isLogin ? undefined : this.nextRun();
			if (!isLogin && !run) return this.schedule(SLICE_MS);
			const delay = this.pauseLeft() || this.pacer.delay;
			if (delay > 0 || this.burst === MAX_BURST) return this.schedule(delay);
			if (run) this.give(run);
			else this.logins.shift()!(this.permit());
		}
	}

	private async enqueue(add: (waiter: Waiter) => void): Promise<Permit | undefined> {
		if (this.isIdle) {
			this.lastProgressAt = this.clock.now();
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

	/** The run whose turn it is; undefined when none may have a permit. */
	private nextRun(): Run | undefined {
		const isFull = this.inFlight >= this.limit;
		if (isFull && this.clock.now() - this.lastProgressAt < STALLED_MS) return undefined;
		return this.queue.next((run) => run.hasRoom && (!isFull || run.inFlight === 0));
	}

	private give(run: Run): void {
		// At most one permit beyond the limit per slice.
		if (this.inFlight >= this.limit) this.lastProgressAt = this.clock.now() - STALLED_MS + SLICE_MS;
		const { waiter, isRetry } = this.queue.take(run);
		run.inFlight++;
		waiter(this.permit(run, isRetry));
	}

	/** @param run none for a login */
	private permit(run?: Run, isRetry?: boolean): Permit {
		this.inFlight++;
		this.burst++;
		this.adaptive.recordSent(this.inFlight);
		this.pacer.recordSent();
		const sentAfter = { ...this.counts };
		let isReleased = false;
		return {
			release: (signal, pause) => {
				if (isReleased) return;
				isReleased = true;
				this.inFlight--;
				this.lastProgressAt = this.clock.now();
				// A retry that fails again may be the item's fault.
				const isNewOverload = sentAfter.overloads === this.counts.overloads && !(isRetry && signal === 'failed');
				// Any other answer than a pause: the service does not ask to wait all the time.
				if (!pause && signal !== 'dropped') this.pausedWithoutAnswerSince = undefined;
				this.learn(signal, isNewOverload);
				if (pause) this.startPause(pause, sentAfter, run);
				if (!run) return this.admit();
				run.inFlight--;
				run.released();
			},
		};
	}

	private learn(signal: LimiterSignal, isNewOverload: boolean): void {
		const { limit } = this;
		const now = this.clock.now();
		if (signal === 'success') {
			this.pacer.recordSuccess();
			this.adaptive.recordSuccess(this.inFlight, now);
		}
		const isOverload = signal === 'dropped' || signal === 'failed';
		if (isOverload && isNewOverload && this.adaptive.recordOverload(this.inFlight, now, signal === 'dropped')) this.counts.overloads++;
		if (this.limit !== limit) this.log(`limit of concurrent requests ${limit} → ${this.limit}`);
	}

	/** @param sentAfter what had happened when the request was sent */
	private startPause({ ms, isForKey }: Pause, sentAfter: { pauses: number; keyPauses: number }, run?: Run): void {
		const now = this.clock.now();
		const isNew = sentAfter.pauses === this.counts.pauses;
		const hadAnswer = this.pausedWithoutAnswerSince === undefined;
		if (isNew) this.recordPause(now);
		// A 503 may concern one endpoint: it pauses its run, and all runs when there was no other answer since a pause before.
		if (run && !isForKey) {
			run.pause(ms);
			if (!isNew || hadAnswer) return;
		}
		if (sentAfter.keyPauses === this.counts.keyPauses) {
			this.counts.keyPauses++;
			this.log(`service asks to wait ${Math.round(ms)} ms`);
			this.pacer.pauseStarted(this.limit);
		}
		this.pausedUntil = Math.max(this.pausedUntil ?? now, now + ms);
	}

	private recordPause(now: number): void {
		this.counts.pauses++;
		this.pausedWithoutAnswerSince ??= now;
		if (now - this.pausedWithoutAnswerSince < GIVE_UP_MS) return;
		this.log('nothing but pauses for three minutes; waiting requests fail');
		for (const waiter of this.queue.removeAll()) waiter(undefined);
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
