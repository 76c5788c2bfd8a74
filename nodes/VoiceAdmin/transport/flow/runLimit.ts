import type { ConcurrencyLimiter, Permit, Run } from './concurrencyLimiter';
import { type Clock, time } from './time';

/**
 * What holds for the requests of one node run, or of one poll: no more than its bound are in flight, and when it is
 * closed nothing is sent any more. Its items may use several API keys, each of which has a limiter.
 */
export class RunLimit implements Run {
	/** Whether the run has ended: stopped by a failure, cancelled, or out of time. */
	isClosed = false;

	inFlight = 0;

	private readonly limiters = new Set<ConcurrencyLimiter>();

	/** For how long the service has asked the run to wait so far, in milliseconds; of times that overlap, the whole. */
	askedToWaitMs = 0;

	private pausedUntil = 0;

	private askedToWaitUntil = 0;

	private resolveClosed!: (value: undefined) => void;

	private readonly closed = new Promise<undefined>((resolve) => (this.resolveClosed = resolve));

	constructor(
		readonly maxConcurrency: number,
		private readonly clock: Pick<Clock, 'now'> = time,
	) {}

	get hasRoom(): boolean {
		return this.inFlight < this.maxConcurrency && this.clock.now() >= this.pausedUntil;
	}

	pause(ms: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + ms);
	}

	/** The service has asked one of its requests to wait for so many milliseconds. */
	recordAskedToWait(ms: number): void {
		const now = this.clock.now();
		const until = now + ms;
		this.askedToWaitMs += Math.max(0, until - Math.max(now, this.askedToWaitUntil));
		this.askedToWaitUntil = Math.max(until, this.askedToWaitUntil);
	}

	/** Waits for a permit of a limiter. @returns undefined when the run is closed, or the limiter gives up */
	async acquire(limiter: ConcurrencyLimiter, isRetry?: boolean): Promise<Permit | undefined> {
		if (this.isClosed) return undefined;
		this.limiters.add(limiter);
		return await limiter.acquire(this, isRetry);
	}

	/** Resolves as the promise does, or to undefined once the run is closed: a login is shared with other runs, and goes on. */
	async unlessClosed<Value>(promise: Promise<Value>): Promise<Value | undefined> {
		return await Promise.race([promise, this.closed]);
	}

	/** Ends the run; those that wait get no permit. */
	close(): void {
		this.isClosed = true;
		this.resolveClosed(undefined);
		for (const limiter of this.limiters) limiter.remove(this);
	}

	released(): void {
		for (const limiter of this.limiters) limiter.admit();
	}
}
