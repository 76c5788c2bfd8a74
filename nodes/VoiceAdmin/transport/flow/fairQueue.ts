/** A list whose first entry is taken at a cost that does not grow with it, as that of `shift` does beyond 50,000 entries. */
class Fifo<Entry> {
	private entries: Array<Entry | undefined> = [];

	private taken = 0;

	get size(): number {
		return this.entries.length - this.taken;
	}

	add(entry: Entry): void {
		this.entries.push(entry);
	}

	take(): Entry {
		const entry = this.entries[this.taken]!;
		// Not to be kept in memory.
		this.entries[this.taken++] = undefined;
		return entry;
	}

	rest(): Entry[] {
		return this.entries.slice(this.taken) as Entry[];
	}
}

/** The requests of a run that wait. */
interface Waiting<Waiter> {
	/** Requests that are sent again; they go first. */
	retries: Fifo<Waiter>;
	firstAttempts: Fifo<Waiter>;
}

/** Who waits for a permit: runs take turns, and a run's requests keep their order, retries first. */
export class FairQueue<Run, Waiter> {
	/** The run whose turn is next comes first, as a Map keeps the order of insertion. */
	private readonly waiting = new Map<Run, Waiting<Waiter>>();

	get isEmpty(): boolean {
		return this.waiting.size === 0;
	}

	/** A run that has not waited so far comes last. */
	add(run: Run, waiter: Waiter, isRetry: boolean): void {
		const waiting = this.waiting.get(run) ?? { retries: new Fifo<Waiter>(), firstAttempts: new Fifo<Waiter>() };
		this.waiting.set(run, waiting);
		(isRetry ? waiting.retries : waiting.firstAttempts).add(waiter);
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
		const isRetry = retries.size > 0;
		const waiter = (isRetry ? retries : firstAttempts).take();
		this.waiting.delete(run);
		if (retries.size + firstAttempts.size > 0) this.waiting.set(run, waiting);
		return { waiter, isRetry };
	}

	/** Takes out all requests of a run. */
	remove(run: Run): Waiter[] {
		const { retries, firstAttempts } = this.waiting.get(run) ?? {};
		this.waiting.delete(run);
		return [...(retries?.rest() ?? []), ...(firstAttempts?.rest() ?? [])];
	}

	/** Takes out all requests. */
	removeAll(): Waiter[] {
		return [...this.waiting.keys()].flatMap((run) => this.remove(run));
	}
}
