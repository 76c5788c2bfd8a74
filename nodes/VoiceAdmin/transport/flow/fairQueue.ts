/** What a queue has to know of a request. */
export interface RequestKind {
	/** Whether it has been sent before. */
	isRetry?: boolean;
	/** Whether it does no harm to send it twice: it is no create. */
	isRepeatable?: boolean;
}

/** The requests of a run that wait. */
interface Waiting<Waiter> {
	/** Requests that are sent again; they go first. */
	retries: Waiter[];
	firstAttempts: Waiter[];
}

/** Who waits for a permit: runs take turns, and a run's requests keep their order, retries first. */
export class FairQueue<Run, Waiter extends RequestKind> {
	/** The run whose turn is next comes first, as a Map keeps the order of insertion. */
	private readonly waiting = new Map<Run, Waiting<Waiter>>();

	get isEmpty(): boolean {
		return this.waiting.size === 0;
	}

	get runs(): Iterable<Run> {
		return this.waiting.keys();
	}

	/** A run that has not waited so far comes last. */
	add(run: Run, waiter: Waiter): void {
		const waiting = this.waiting.get(run) ?? { retries: [], firstAttempts: [] };
		this.waiting.set(run, waiting);
		(waiter.isRetry ? waiting.retries : waiting.firstAttempts).push(waiter);
	}

	/** The first run in turn that may go on; one that may not keeps its turn. */
	next(mayGoOn: (run: Run) => boolean): Run | undefined {
		for (const run of this.waiting.keys()) if (mayGoOn(run)) return run;
		return undefined;
	}

	/**
	 * The run with the request that shows at the least cost whether the service is there: one that can be repeated before one
	 * that can't, and one that has not failed yet before one whose own fault it may be.
	 */
	nextProbe(mayGoOn: (run: Run) => boolean): Run | undefined {
		const cost = ([, { retries, firstAttempts }]: [Run, Waiting<Waiter>]) => {
			const { isRepeatable, isRetry } = (firstAttempts[0] ?? retries[0])!;
			return (isRepeatable ? 0 : 2) + (isRetry ? 1 : 0);
		};
		const [first, ...others] = [...this.waiting].filter(([run]) => mayGoOn(run));
		return first && others.reduce((best, other) => (cost(other) < cost(best) ? other : best), first)[0];
	}

	/** Takes the first request of a run that waits, after which it is the other runs' turn. */
	take(run: Run, order: Array<keyof Waiting<Waiter>> = ['retries', 'firstAttempts']): Waiter {
		const waiting = this.waiting.get(run)!;
		const waiter = waiting[order.find((each) => waiting[each].length > 0)!].shift()!;
		this.waiting.delete(run);
		if (waiting.retries.length + waiting.firstAttempts.length > 0) this.waiting.set(run, waiting);
		return waiter;
	}

	/** Takes out all requests of a run. */
	remove(run: Run): Waiter[] {
		const { retries = [], firstAttempts = [] } = this.waiting.get(run) ?? {};
		this.waiting.delete(run);
		return [...retries, ...firstAttempts];
	}
}
