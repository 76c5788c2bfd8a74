/** What a request is to the limiter; a repeatable one creates nothing. */
export type RequestKind = 'login' | 'repeatable' | 'create';

export interface QueuedRequest {
	kind: RequestKind;
	/** Whether it has been sent before. */
	isRetry?: boolean;
	/** Whether it has failed so often that the fault may be its own. */
	hasOftenFailed?: boolean;
}

/** Logins first, then retries. */
const rankOf = ({ kind, isRetry }: QueuedRequest): number => (kind === 'login' ? 0 : isRetry ? 1 : 2);

/** Waiting requests: runs take turns (round-robin), and a run's requests keep their order. */
export class FairQueue<Waiter extends QueuedRequest & { run: object }> {
	/** Each run's requests, by rank; the next run first, as a Map keeps insertion order. */
	private readonly waiting = new Map<Waiter['run'], Waiter[]>();

	get isEmpty(): boolean {
		return this.waiting.size === 0;
	}

	/** One request per waiting run; apart from logins, all of a run's requests are of one kind. */
	get oneOfEachRun(): Waiter[] {
		return [...this.waiting.values()].map((waiters) => waiters.at(-1)!);
	}

	/** A run that was not waiting goes to the end. */
	add(waiter: Waiter): void {
		const waiters = this.waiting.get(waiter.run) ?? [];
		this.waiting.set(waiter.run, waiters);
		// From the end, where first attempts go: a run may have tens of thousands.
		let at = waiters.length;
		while (at > 0 && rankOf(waiters[at - 1]!) > rankOf(waiter)) at--;
		waiters.splice(at, 0, waiter);
	}

	/**
	 * The first request, by turn, that may be sent; a skipped run keeps its turn.
	 * @param retriesLast prefers first attempts, for probes: a retry may fail through its own fault, which says less about the service
	 */
	next(maySend: (waiter: Waiter) => boolean, retriesLast = false): Waiter | undefined {
		for (const waiters of this.waiting.values()) {
			const [first] = waiters;
			const waiter = (retriesLast && waiters.find(({ isRetry }) => !isRetry)) || first!;
			if (maySend(waiter)) return waiter;
		}
		return undefined;
	}

	/** Removes a request that `next` returned, and moves its run to the end. */
	dequeue(waiter: Waiter): void {
		const waiters = this.waiting.get(waiter.run)!;
		waiters.splice(waiters.indexOf(waiter), 1);
		this.waiting.delete(waiter.run);
		if (waiters.length > 0) this.waiting.set(waiter.run, waiters);
	}

	/** Removes and returns a run's requests. */
	remove(run: Waiter['run']): Waiter[] {
		const waiters = this.waiting.get(run) ?? [];
		this.waiting.delete(run);
		return waiters;
	}
}
