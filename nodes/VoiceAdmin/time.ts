import { OperationalError, sleep } from 'n8n-workflow';

/** Waits are checked this often, in milliseconds: n8n allows community nodes no timer that could be cleared. */
export const CHECK_INTERVAL_MS = 200;

/** How long items are checked or started before n8n's event loop has a turn, in milliseconds. */
const MAX_TURN_MS = 20;

/**
 * All that the package takes of time and chance, in milliseconds. A simulation sets these functions to those of its own, so
 * that a run of minutes takes a moment, and is the same each time.
 */
export const time = {
	/** Monotonic, for waits and ages: the time of day may be set back, by an operator or a time server. */
	now: (): number => performance.now(),
	/** Time of day, since 1970. */
	timeOfDay: (): number => Date.now(),
	sleep: async (ms: number): Promise<void> => await sleep(ms),
	/** A signal that fires after this many milliseconds. */
	deadline: (ms: number): AbortSignal => AbortSignal.timeout(ms),
	/** From 0 to 1, without 1. */
	random: (): number => Math.random(),
};

/**
 * Waits for this many milliseconds, and stops early when `isOver` says so. n8n-workflow 2.40 has no abortable sleep
 * any more.
 */
export async function wait(ms: number, isOver: () => boolean): Promise<void> {
	const end = time.now() + ms;
	for (let left = ms; left > 0 && !isOver(); left = end - time.now()) {
		await time.sleep(Math.min(left, CHECK_INTERVAL_MS));
	}
}

/**
 * Runs `work` until it is done, `ms` milliseconds are over (OperationalError), or `canceled` fires (the same); the signal ends it
 * early. Not by `AbortSignal.any`, which stays in memory for as long as `canceled` does, the whole execution (4 KB for
 * each request on Node 22); nor by the HTTP client's time-out, which starts again with every byte that arrives.
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
		// Before the work rejects with words of its own.
		reject(new OperationalError(deadline.aborted ? 'timeout of the whole response' : 'the execution was canceled before the service responded'));
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

/** To be awaited in a loop: gives n8n's event loop a turn when `TURN_EVERY_MS` have passed since the last one. */
export function eventLoopYielder(): () => Promise<void> | undefined {
	let since = time.now();
	return () => (time.now() - since < MAX_TURN_MS ? undefined : time.sleep(0).then(() => void (since = time.now())));
}

/** "1 second", "2 seconds". */
export function formatSeconds(ms: number): string {
	const count = Math.round(ms / 1_000);
	return `${count} second${count === 1 ? '' : 's'}`;
}
