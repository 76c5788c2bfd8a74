import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf } from '../bootstrap/failure.mjs';
import { readable } from '../bootstrap/progress.mjs';
import type { Started } from '../bootstrap/processes.mjs';

const POLL_MS = 200;
export const REPLY_WITHIN_MS = 5000;

/** Whether a GET of the address is answered with success, and with JSON. */
export async function answers(url: string): Promise<boolean> {
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(REPLY_WITHIN_MS) });
		await response.json();
		return response.ok;
	} catch {
		return false;
	}
}

interface Waiting {
	/** Name of the process, for a sentence. */
	what: string;
	process: Started;
	withinMs: number;
}

/**
 * Waits for a process that was just started to be ready.
 * @param ready asked again and again until what it gives is true
 * @throws {Failure} with the end of its log, at once where the process ends before it is ready
 */
export async function waitUntil<T>(ready: () => Promise<T>, { what, process: started, withinMs }: Waiting): Promise<T> {
	const deadline = Date.now() + withinMs;
	let ended = false;
	const end = () => void (ended = true);
	started.ended.then(end, end);
	const result = () => ({ output: started.output(), log: started.log });
	for (;;) {
		const isReady = await ready();
		if (isReady) return isReady;
		if (ended) throw failureOf(`${what} ended instead of starting; the lines above say why.`, result());
		if (Date.now() > deadline) throw failureOf(`${what} was not ready within ${readable(withinMs)}.`, result());
		await sleep(POLL_MS);
	}
}
