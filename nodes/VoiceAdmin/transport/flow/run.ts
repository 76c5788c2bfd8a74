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

	/** How much longer it waits for what has been failing since then, in milliseconds. */
	remainingWaitMs(failingSince: number, maxWaitMs = this.maxWaitMs): number {
		return Math.max(failingSince, this.startedAt) + maxWaitMs - time.now();
	}

	/**
	 * The same during an outage, 0 if the service asks to wait for longer. A run that begins late in an outage waits for one probe.
	 * @param wasReached whether the address has ever responded
	 */
	remainingOutageWaitMs({ startedAt, failedAt, retryAfterUntil }: Outage, wasReached: boolean): number {
		const maxWaitMs = Math.min(this.maxWaitMs, wasReached ? Infinity : MAX_WAIT_UNKNOWN_MS);
		const remainingMs = this.remainingWaitMs(startedAt, maxWaitMs);
		const isLate = this.startedAt >= startedAt + maxWaitMs && failedAt > this.startedAt;
		return isLate || retryAfterUntil - time.now() > remainingMs ? 0 : remainingMs;
	}

	/** Adds the part of an outage that fell into this run. */
	recordWait(outage: Outage): void {
		const end = outage.endedAt ?? time.now();
		this.waitedMs[outage.cause] += Math.max(0, end - Math.max(outage.startedAt, this.waitedUntil));
		this.waitedUntil = Math.max(this.waitedUntil, end);
	}

	/** To be called when a request has failed for good. */
	handleFailure(): void {
		if (this.stopsOnFailure) this.stop();
	}

	/** Ends the run; its waiting requests get no permit. */
	stop(): void {
		this.isStopped = true;
		this.resolveStopped(undefined);
		for (const limiter of this.limiters) limiter.remove(this);
	}
}
