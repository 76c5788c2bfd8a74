/** Kinds of request: a login, one that is safe to send twice, or a create. */
export type RequestKind = 'login' | 'idempotent' | 'create';

/** A request that may have to wait for its turn. */
export interface QueuedRequest {
	kind: RequestKind;
	/** Whether it has been sent before. */
	isRetry?: boolean;
	/** Whether it has failed so often that the fault may be its own. */
	isSuspect?: boolean;
}

/** Logins first, then retries. */
const rankOf = ({ kind, isRetry }: QueuedRequest): number => (kind === 'login' ? 0 : isRetry ? 1 : 2);

/** Who waits for a permit: runs take turns, and a run's requests keep their order. */
export class FairQueue<Waiter extends QueuedRequest & { run: object }> {
	/** Each run's requests, by rank. The run whose turn is next comes first, as a Map keeps the order of insertion. */
	private readonly waiting = new Map<Waiter['run'], Waiter[]>();

	get isEmpty(): boolean {
		return this.waiting.size === 0;
	}

	/** One request of each run that waits; all of a run's are of one kind, but for logins. */
	get ofEachRun(): Waiter[] {
		return [...this.waiting.values()].map((waiters) => waiters.at(-1)!);
	}

	/** A run that has not waited so far comes last. */
	add(waiter: Waiter): void {
		const waiters = this.waiting.get(waiter.run) ?? [];
		this.waiting.set(waiter.run, waiters);
		// From the end, where first attempts belong: a run may have tens of thousands.
		let at = waiters.length;
		while (at > 0 && rankOf(waiters[at - 1]!) > rankOf(waiter)) at--;
		waiters.splice(at, 0, waiter);
	}

	/**
	 * The first run in turn whose first request may be sent; one whose request may not keeps its turn.
	 * @param retriesLast while the service is unavailable: what has failed may fail for its own fault, and says less of the service
	 */
	next(maySend: (waiter: Waiter) => boolean, retriesLast = false): Waiter | undefined {
		for (const waiters of this.waiting.values()) {
			const [first] = waiters;
			const waiter = (retriesLast && first!.kind !== 'login' && waiters.find(({ isRetry }) => !isRetry)) || first!;
			if (maySend(waiter)) return waiter;
		}
		return undefined;
	}

	/** Takes out what `next` has given, after which it is the other runs' turn. */
	dequeue(waiter: Waiter): void {
		const waiters = this.waiting.get(waiter.run)!;
		waiters.splice(waiters.indexOf(waiter), 1);
		this.waiting.delete(waiter.run);
		if (waiters.length > 0) this.waiting.set(waiter.run, waiters);
	}

	/** Takes out all requests of a run. */
	remove(run: Waiter['run']): Waiter[] {
		const waiters = this.waiting.get(run) ?? [];
		this.waiting.delete(run);
		return waiters;
	}
}
