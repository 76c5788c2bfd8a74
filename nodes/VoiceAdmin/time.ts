import { OperationalError, sleep } from 'n8n-workflow';

/** Polling interval of waits, in milliseconds: n8n doesn't allow community nodes timers that could be cleared. */
export const CHECK_INTERVAL_MS = 200;

/** Maximum time before yielding to n8n's event loop, in milliseconds. */
const MAX_TURN_MS = 20;

/**
 * The package's only source of time (in milliseconds) and randomness. The simulation replaces these functions to run fast and
 * reproducibly.
 */
export const time = {
	/** Monotonic, unlike the time of day, which may be set back. */
	now: (): number => performance.now(),
	/** Time of day, since 1970. */
	timeOfDay: (): number => Date.now(),
	sleep: async (ms: number): Promise<void> => await sleep(ms),
	deadline: (ms: number): AbortSignal => AbortSignal.timeout(ms),
	/** From 0 (inclusive) to 1 (exclusive). */
	random: (): number => Math.random(),
};

/** Sleeps until `ms` milliseconds have passed or `isOver` returns true: n8n-workflow 2.40 dropped its abortable sleep. */
export async function wait(ms: number, isOver: () => boolean): Promise<void> {
	const end = time.now() + ms;
	for (let left = ms; left > 0 && !isOver(); left = end - time.now()) {
		await time.sleep(Math.min(left, CHECK_INTERVAL_MS));
	}
}

/**
 * Runs `work` until it completes; aborts it and throws OperationalError after `ms` milliseconds or when `canceled` fires. Doesn't use
 * `AbortSignal.any`, which leaks until `canceled` is collected with the execution (4 KB per request on Node 22), nor the HTTP client's
 * time-out, which restarts with every byte.
 */
export async function withDeadline<Result>(
	ms: number,
	canceled: AbortSignal | undefined,
	work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const controller = new AbortController();
	const deadline = time.deadline(ms);
	let reject: (error: Error) => void;
	const aborted = new Promise<never>((_resolve, rejectIt) => (reject = rejectIt));
	const abort = () => {
		// Rejects before `work` does. Because of ETIMEDOUT, `connectionErrors` treats a time-out as a failed connection, so
		// that the request may be retried.
		const timedOut = () => Object.assign(new OperationalError('the response took too long'), { code: 'ETIMEDOUT' });
		reject(
			deadline.aborted ? timedOut() : new OperationalError('the execution was canceled before the service responded'),
		);
		controller.abort();
	};
	const signals = [deadline, ...(canceled ? [canceled] : [])];
	for (const signal of signals) signal.addEventListener('abort', abort);
	if (canceled?.aborted) abort();
	try {
		return await Promise.race([work(controller.signal), aborted]);
	} finally {
		for (const signal of signals) signal.removeEventListener('abort', abort);
	}
}

/** Returns a function to await in a loop: it yields to n8n's event loop when `MAX_TURN_MS` have passed. */
export function eventLoopYielder(): () => Promise<void> | undefined {
	let since = time.now();
	return () => (time.now() - since < MAX_TURN_MS ? undefined : time.sleep(0).then(() => void (since = time.now())));
}
