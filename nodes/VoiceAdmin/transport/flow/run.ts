import { time } from '../../time';
import type { OutageCause, Outage } from './outage';

/**
 * Controls the requests of one node run or poll: bounds their concurrency and their wait for an unavailable service, and stops them.
 * Its items may use several API keys, each with its own limiter.
 */
export class Run {
	/** By a failure, a cancel, or a timeout. */
	isStopped = false;

	/** Permits held, across limiters, apart from logins. */
	inFlight = 0;

	/** Total wait so far, in milliseconds; overlapping waits count once. */
	readonly waitedMs: Record<OutageCause, number> = { unavailable: 0, rateLimited: 0 };

	private readonly startedAt = time.now();

	private waitedUntil = 0;

	/** The limiters that its requests use. */
	readonly limiters = new Set<{ remove: (run: Run) => void; grantPermits: () => void }>();

	private resolveStopped!: (value: undefined) => void;

	readonly stopped = new Promise<undefined>((resolve) => (this.resolveStopped = resolve));

	constructor(
		readonly maxConcurrency: number,
		/** Maximum wait for an unavailable service, in milliseconds. */
		readonly maxWaitMs: number,
		/** Whether its first failure stops it. */
		private readonly stopsOnFailure = false,
	) {}

	get hasRoom(): boolean {
		return this.inFlight < this.maxConcurrency;
	}

	/** When the run gives up waiting for an outage. @param maxMs upper bound for any run, in milliseconds */
	waitsUntil(outageStartedAt: number, maxMs: number): number {
		return Math.max(outageStartedAt, this.startedAt) + Math.min(this.maxWaitMs, maxMs);
	}

	/** Adds the part of a request's wait, which began at `startedAt`, that fell into the outage. */
	recordWait(outage: Readonly<Outage> | undefined, startedAt: number): void {
		if (!outage) return;
		const end = outage.endedAt ?? time.now();
		this.waitedMs[outage.cause] += Math.max(0, end - Math.max(outage.startedAt, startedAt, this.waitedUntil));
		this.waitedUntil = Math.max(this.waitedUntil, end);
	}

	/** Records that a request failed for good. */
	recordFailure(): void {
		if (this.stopsOnFailure) this.stop();
	}

	/** Ends the run; its waiting requests get no permit. */
	stop(): void {
		this.isStopped = true;
		this.resolveStopped(undefined);
		for (const limiter of this.limiters) limiter.remove(this);
	}

	/** Called when a permit is released: the run's requests may be waiting at another limiter. */
	onPermitReleased(): void {
		for (const limiter of this.limiters) limiter.grantPermits();
	}
}
