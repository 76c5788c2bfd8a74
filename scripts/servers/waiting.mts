import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf } from '../bootstrap/failure.mjs';
import { formatDuration } from '../bootstrap/progress.mjs';
import type { Started } from '../bootstrap/processes.mjs';

const POLL_MS = 200;
export const REPLY_WITHIN_MS = 5000;

/** Whether a GET succeeds and returns JSON. */
export async function isResponding(url: string): Promise<boolean> {
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(REPLY_WITHIN_MS) });
		await response.json();
		return response.ok;
	} catch {
		return false;
	}
}

/** what: the name of the process in messages */
type Waiting = { what: string; process: Started; withinMs: number };

/**
 * Waits until a new process is ready. @param ready called repeatedly, until it returns something truthy
 * @throws {Failure} with the end of the process's log, at once if it ends before it is ready
 */
export async function waitUntil<T>(ready: () => Promise<T>, { what, process: started, withinMs }: Waiting): Promise<T> {
	const deadline = Date.now() + withinMs;
	let ended = false;
	void started.ended.finally(() => (ended = true)).catch(() => {});
	const failure = (sentence: string) => failureOf(sentence, { output: started.output(), log: started.log });
	for (;;) {
		const result = await ready();
		if (result) return result;
		if (ended) throw failure(`${what} ended instead of starting; the lines above say why.`);
		if (Date.now() > deadline) throw failure(`${what} was not ready within ${formatDuration(withinMs)}.`);
		await sleep(POLL_MS);
	}
}
