/** The requests of a run that wait. */
interface Waiting<Waiter> {
	/** Requests that are sent again; they go first. */
	retries: Waiter[];
	firstAttempts: Waiter[];
}

/** Who waits for a permit: runs take turns, and a run's requests keep their order, retries first. */
export class FairQueue<Run, Waiter> {
	/** The run whose turn is next comes first, as a Map keeps the order of insertion. */
	private readonly waiting = new Map<Run, Waiting<Waiter>>();

	get isEmpty(): boolean {
		return this.waiting.size === 0;
	}

	/** A run that has not waited so far comes last. */
	add(run: Run, waiter: Waiter, isRetry?: boolean): void {
		const waiting = this.waiting.get(run) ?? { retries: [], firstAttempts: [] };
		this.waiting.set(run, waiting);
		(isRetry ? waiting.retries : waiting.firstAttempts).push(waiter);
	}

	/** The first run in turn that may go on; one that may not keeps its turn. */
	next(mayGoOn: (run: Run) => boolean): Run | undefined {
		for (const run of this.waiting.keys()) if (mayGoOn(run)) return run;
		return undefined;
	}

	/** Takes the first request of a run that waits, after which it is the other runs' turn. */
	take(run: Run): { waiter: Waiter; isRetry: boolean } {
		const waiting = this.waiting.get(run)!;
		const { retries, firstAttempts } = waiting;
		const isRetry = retries.length > 0;
		const waiter = (isRetry ? retries : firstAttempts).shift()!;
		this.waiting.delete(run);
		if (retries.length + firstAttempts.length > 0) this.waiting.set(run, waiting);
		return { waiter, isRetry };
	}

	/** Takes out all requests of a run. */
	remove(run: Run): Waiter[] {
		const { retries = [], firstAttempts = [] } = this.waiting.get(run) ?? {};
		this.waiting.delete(run);
		return [...retries, ...firstAttempts];
	}

	/** Takes out all requests. */
	removeAll(): Waiter[] {
		return [...this.waiting.keys()].flatMap((run) => this.remove(run));
	}
}
