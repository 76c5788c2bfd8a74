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

	/** The same, where the request shows whether the service is there: before others, one that can be repeated. */
	nextProbe(mayGoOn: (run: Run) => boolean): Run | undefined {
		const isRepeatable = (run: Run) => {
			const { retries, firstAttempts } = this.waiting.get(run)!;
			return (firstAttempts[0] ?? retries[0])!.isRepeatable;
		};
		return this.next((run) => isRepeatable(run) === true && mayGoOn(run)) ?? this.next(mayGoOn);
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
