import type { ConcurrencyLimiter, Permit, Run } from './concurrencyLimiter';
import { type Clock, systemClock } from './time';

/**
 * The requests of one node run, or of one poll: no more than its bound are in flight, and when it is closed nothing is
 * sent any more. Its items may use several API keys, each of which has a limiter.
 */
export class RunQueue implements Run {
	/** Whether the run has ended: stopped by a failure, cancelled, or out of time. */
	isClosed = false;

	/** Permits that limiters have given to it and that are not released. */
	inFlight = 0;

	private readonly limiters = new Set<ConcurrencyLimiter>();

	private pausedUntil = 0;

	private readonly closing: { promise: Promise<undefined>; resolve: () => void };

	constructor(
		private readonly maxConcurrency: number,
		private readonly clock: Pick<Clock, 'now'> = systemClock,
	) {
		let resolve = () => {};
		const promise = new Promise<undefined>((settle) => (resolve = () => settle(undefined)));
		this.closing = { promise, resolve };
	}

	get hasRoom(): boolean {
		return this.inFlight < this.maxConcurrency && this.clock.now() >= this.pausedUntil;
	}

	pause(ms: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + ms);
	}

	/** Waits for a permit of a limiter. @returns undefined when the run is closed, or the limiter gives up */
	async acquire(limiter: ConcurrencyLimiter, isRetry = false): Promise<Permit | undefined> {
		if (this.isClosed) return undefined;
		this.limiters.add(limiter);
		return await limiter.acquire(this, isRetry);
	}

	/** A promise, or undefined as soon as the run is closed, for what is done for several runs and cannot be stopped. */
	async unlessClosed<Value>(promise: Promise<Value>): Promise<Value | undefined> {
		return await Promise.race([promise, this.closing.promise]);
	}

	/** Ends the run; those that wait get no permit. */
	close(): void {
		this.isClosed = true;
		this.closing.resolve();
		for (const limiter of this.limiters) limiter.remove(this);
	}

	/** A permit was released: there is room for another one, of whichever limiter. */
	released(): void {
		this.inFlight--;
		for (const limiter of this.limiters) limiter.admit();
	}
}
