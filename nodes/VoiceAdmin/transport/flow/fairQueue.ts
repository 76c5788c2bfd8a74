/** Kinds of request: a login, one that is safe to send twice, or a create. */
export type RequestKind = 'login' | 'idempotent' | 'create';

/** What a queue has to know of a request. */
export interface QueuedRequest {
	kind: RequestKind;
	/** Whether it has been sent before. */
	isRetry?: boolean;
	/** Whether it has failed so often that the fault may be its own. */
	isSuspect?: boolean;
}

/** The order in which the requests of a run are sent. */
export const RETRIES_FIRST = ['login', 'retry', 'firstAttempt'] as const;

/** The same while the service is unavailable: what has failed may fail for its own fault, and says less of the service. */
export const RETRIES_LAST = ['login', 'firstAttempt', 'retry'] as const;

type Order = typeof RETRIES_FIRST | typeof RETRIES_LAST;

/** Who waits for a permit: runs take turns, and a run's requests keep their order. */
export class FairQueue<Run, Waiter extends QueuedRequest> {
	/** The run whose turn is next comes first, as a Map keeps the order of insertion. */
	private readonly waiting = new Map<Run, Record<Order[number], Waiter[]>>();

	get isEmpty(): boolean {
		return this.waiting.size === 0;
	}

	/** The runs that wait, each with one of its requests; all of a run's are of one kind, but for logins. */
	get runs(): Array<{ run: Run; waiter: Waiter }> {
		return [...this.waiting].map(([run, { firstAttempt, retry, login }]) => ({ run, waiter: (firstAttempt[0] ?? retry[0] ?? login[0])! }));
	}

	/** A run that has not waited so far comes last. */
	add(run: Run, waiter: Waiter): void {
		const waiting = this.waiting.get(run) ?? { login: [], retry: [], firstAttempt: [] };
		this.waiting.set(run, waiting);
		waiting[listOf(waiter)].push(waiter);
	}

	/** The first run in turn whose first request may be sent; one whose request may not keeps its turn. */
	next(order: Order, maySend: (run: Run, waiter: Waiter) => boolean): { run: Run; waiter: Waiter } | undefined {
		for (const [run, waiting] of this.waiting) {
			const [waiter] = waiting[order.find((list) => waiting[list].length > 0)!];
			if (maySend(run, waiter!)) return { run, waiter: waiter! };
		}
		return undefined;
	}

	/** Takes out what `next` has given, after which it is the other runs' turn. */
	take(run: Run, waiter: Waiter): void {
		const waiting = this.waiting.get(run)!;
		waiting[listOf(waiter)].shift();
		this.waiting.delete(run);
		if (Object.values(waiting).some(({ length }) => length > 0)) this.waiting.set(run, waiting);
	}

	/** Takes out all requests of a run. */
	remove(run: Run): Waiter[] {
		const waiters = Object.values(this.waiting.get(run) ?? {}).flat();
		this.waiting.delete(run);
		return waiters;
	}
}

function listOf({ kind, isRetry }: QueuedRequest): Order[number] {
	return kind === 'login' ? 'login' : isRetry ? 'retry' : 'firstAttempt';
}
