import type { OutageCause, Outage } from './outage';
import { time } from './time';

/**
 * What holds for the requests of one node run, or of one poll: no more than its bound are in flight, they wait for a
 * service that is unavailable for no longer than they may, and when it is stopped nothing is sent any more. Its items may use
 * several API keys, each of which has a limiter.
 */
export class RunLimit {
	/** Whether the run has ended: stopped by a failure, canceled, or out of time. */
	isStopped = false;

	/** Permits that it holds, of whatever limiter. */
	inFlight = 0;

	/** For how long it has waited so far, in milliseconds; of times that overlap, the whole. */
	readonly waitedMs: Record<OutageCause, number> = { unavailable: 0, rateLimited: 0 };

	private readonly startedAt = time.now();

	private waitedUntil = 0;

	/** Where its requests have asked for permits. */
	readonly limiters = new Set<{ remove: (run: RunLimit) => void; grantPermits: () => void }>();

	private resolveStopped!: (value: undefined) => void;

	/** Resolves when it is stopped. */
	readonly stopped = new Promise<undefined>((resolve) => (this.resolveStopped = resolve));

	constructor(
		readonly maxConcurrency: number,
		/** How long its requests wait for their service, in milliseconds. */
		readonly maxWaitMs: number,
	) {}

	/** Whether its own bound allows one more request. */
	get hasRoom(): boolean {
		return this.inFlight < this.maxConcurrency;
	}

	/** Until when it waits for a service that has been unavailable since then. @param longest time that anybody may wait, in milliseconds */
	waitsUntil(since: number, longest: number): number {
		return Math.max(since, this.startedAt) + Math.min(this.maxWaitMs, longest);
	}

	/** Counts the wait of one of its requests, which began at `since`, as far as it fell into the outage. */
	recordWait(outage: Readonly<Outage> | undefined, since: number): void {
		if (!outage) return;
		const end = outage.overAt ?? time.now();
		this.waitedMs[outage.cause] += Math.max(0, end - Math.max(outage.since, since, this.waitedUntil));
		this.waitedUntil = Math.max(this.waitedUntil, end);
	}

	/** Ends the run; those that wait get no permit. */
	stop(): void {
		this.isStopped = true;
		this.resolveStopped(undefined);
		for (const limiter of this.limiters) limiter.remove(this);
	}

	/** To be called when one of its permits has been released: another limiter may have requests of it that wait. */
	onPermitReleased(): void {
		for (const limiter of this.limiters) limiter.grantPermits();
	}
}
