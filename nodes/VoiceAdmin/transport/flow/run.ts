import { time } from '../../time';
import type { Outage, OutageCause } from './circuitBreaker';

/** Maximum wait, in milliseconds, if nothing has ever responded: the base URL may be wrong. */
const MAX_WAIT_UNKNOWN_MS = 10_000;

/**
 * Controls the requests of one node run or poll: bounds their concurrency and their wait for an unavailable service, and stops them.
 * Its items may use several API keys, each with its own limiter.
 */
export class Run {
	/** By a failure, a cancel, or a timeout. */
	isStopped = false;
	private resolveStopped!: (value: undefined) => void;
	readonly stopped = new Promise<undefined>((resolve) => (this.resolveStopped = resolve));

	/** Permits held, across limiters, apart from logins. */
	inFlight = 0;

	/** The limiters that its requests use. */
	readonly limiters = new Set<{ remove: (run: Run) => void; grantPermits: () => void }>();

	readonly startedAt = time.now();

	/** Total wait so far, in milliseconds; overlapping waits count once. */
	readonly waitedMs: Record<OutageCause, number> = { unavailable: 0, rateLimited: 0 };
	private waitedUntil = this.startedAt;

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

	/**
	 * How much longer it waits for an unavailable service, in milliseconds. A run that begins late in an outage waits for one probe.
	 * @param hasResponded whether anything has ever responded
	 */
	remainingWaitMs({ startedAt, failedAt, retryAfterUntil }: Outage, hasResponded: boolean): number {
		const maxWaitMs = Math.min(this.maxWaitMs, hasResponded ? Infinity : MAX_WAIT_UNKNOWN_MS);
		const endsAt = Math.max(startedAt, this.startedAt) + maxWaitMs;
		const isLate = this.startedAt >= startedAt + maxWaitMs && failedAt > this.startedAt;
		return isLate || retryAfterUntil > endsAt ? 0 : endsAt - time.now();
	}

	/** Adds the part of an outage that fell into this run. */
	recordWait(outage: Readonly<Outage> | undefined): void {
		if (!outage) return;
		const end = outage.endedAt ?? time.now();
		this.waitedMs[outage.cause] += Math.max(0, end - Math.max(outage.startedAt, this.waitedUntil));
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
}
