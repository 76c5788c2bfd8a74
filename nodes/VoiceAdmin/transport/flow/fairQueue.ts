/** What a request is to the limiter; a repeatable one creates nothing. */
export type RequestKind = 'login' | 'repeatable' | 'create';

/** The same object for all attempts of a request. */
export interface QueuedRequest {
	kind: RequestKind;
	/** Whether it has been sent before. */
	isRetry?: boolean;
	/** Logs in, to probe the service in its place. @returns as of `TokenManager.probe` */
	probeByLogin?: () => Promise<boolean>;
}

/** Logins first, then retries. */
const rankOf = ({ kind, isRetry }: QueuedRequest): number => (kind === 'login' ? 0 : isRetry ? 1 : 2);

/** Waiting requests: runs take turns (round-robin), and a run's requests keep their order, but for probes. */
export class FairQueue<Waiter extends { request: QueuedRequest; run: object }> {
	/** Each run's requests, by rank; the next run first, as a Map keeps insertion order. */
	private readonly waiting = new Map<Waiter['run'], Waiter[]>();

	get isEmpty(): boolean {
		return this.waiting.size === 0;
	}

	/** One request of each kind per waiting run: logins come first, and the others are of one kind (Operation takes no expression). */
	get oneOfEachKind(): Waiter[] {
		return [...this.waiting.values()].flatMap((waiters) => [waiters[0]!, waiters.at(-1)!]);
	}

	/** A run that was not waiting goes to the end. */
	add(waiter: Waiter): void {
		const waiters = this.waiting.get(waiter.run) ?? [];
		this.waiting.set(waiter.run, waiters);
		// From the end, where first attempts go.
		let at = waiters.length;
		while (at > 0 && rankOf(waiters[at - 1]!.request) > rankOf(waiter.request)) at--;
		waiters.splice(at, 0, waiter);
	}

	/**
	 * The first request, by turn, that may be sent.
	 * @param takesLast of such requests, it's a run's last one: the first ones in a row may always fail, as those of a broken server
	 */
	find(maySend: (waiter: Waiter) => boolean, takesLast?: (request: QueuedRequest) => boolean): Waiter | undefined {
		for (const waiters of this.waiting.values()) {
			const waiter = takesLast?.(waiters.at(-1)!.request) ? waiters.findLast(maySend) : waiters.find(maySend);
			if (waiter) return waiter;
		}
		return undefined;
	}

	/** Takes the request that `find` returns. Its run goes to the end, unless it is a login, for all runs; a skipped one keeps its turn. */
	take(maySend: (waiter: Waiter) => boolean, takesLast?: (request: QueuedRequest) => boolean): Waiter | undefined {
		const waiter = this.find(maySend, takesLast);
		if (!waiter) return undefined;
		const { run, request } = waiter;
		const waiters = this.waiting.get(run)!;
		waiters.splice(waiters.indexOf(waiter), 1);
		if (waiters.length > 0 && request.kind === 'login') return waiter;
		this.waiting.delete(run);
		if (waiters.length > 0) this.waiting.set(run, waiters);
		return waiter;
	}

	/** Removes and returns a run's requests. */
	remove(run: Waiter['run']): Waiter[] {
		const waiters = this.waiting.get(run) ?? [];
		this.waiting.delete(run);
		return waiters;
	}
}
