import { OperationalError, sleep } from 'n8n-workflow';

/** Waits are checked this often, in milliseconds: n8n allows community nodes no timer that could be cleared. */
export const SLICE_MS = 200;

/** Monotonic time in milliseconds, for waits and ages: the time of day may be set back, by an operator or a time server. */
export const now = (): number => performance.now();

/** Time and timers, in milliseconds; tests have a clock of their own, with virtual time. */
export interface Clock {
	now: () => number;
	sleep: (ms: number) => Promise<void>;
}

export const systemClock: Clock = { now, sleep };

/**
 * Waits for so many milliseconds, and stops early when `isOver` says so. n8n-workflow 2.40 has no abortable sleep
 * any more.
 */
export async function wait(ms: number, isOver: () => boolean): Promise<void> {
	const end = now() + ms;
	for (let left = ms; left > 0 && !isOver(); left = end - now()) {
		await sleep(Math.min(left, SLICE_MS));
	}
}

/**
 * Runs `work` until it is done, `ms` milliseconds are over (OperationalError), or `cancelled` fires (the same); the signal ends it
 * early. Not by `AbortSignal.any`, which stays in memory for as long as `cancelled` does, the whole execution (4 KB for
 * each request on Node 22); nor by the HTTP client's time-out, which starts again with every byte that arrives.
 */
export async function withDeadline<Result>(
	ms: number,
	cancelled: AbortSignal | undefined,
	work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const controller = new AbortController();
	const deadline = AbortSignal.timeout(ms);
	let reject: (error: Error) => void;
	const aborted = new Promise<never>((_resolve, rejectIt) => (reject = rejectIt));
	const abort = () => {
		// Before the work rejects with words of its own.
		reject(new OperationalError(deadline.aborted ? 'timeout of the whole response' : 'the execution was cancelled before the service had answered'));
		controller.abort();
	};
	const signals = [deadline, ...(cancelled ? [cancelled] : [])];
	for (const signal of signals) signal.addEventListener('abort', abort);
	if (cancelled?.aborted) abort();
	try {
		return await Promise.race([work(controller.signal), aborted]);
	} finally {
		for (const signal of signals) signal.removeEventListener('abort', abort);
	}
}
