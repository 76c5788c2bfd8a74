import { setTimeout as sleep } from 'node:timers/promises';
import { createFailure } from '../bootstrap/failure.mjs';
import { formatDuration } from '../bootstrap/progress.mjs';
import type { RunningProcess } from '../bootstrap/processes.mjs';

const POLL_MS = 200;
export const RESPONSE_TIMEOUT_MS = 5000;

/** Whether a GET succeeds and returns JSON. */
export async function isResponding(url: string): Promise<boolean> {
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
		await response.json();
		return response.ok;
	} catch {
		return false;
	}
}

/** name: of the process, in messages */
type WaitOptions = { name: string; process: RunningProcess; withinMs: number };

/**
 * Waits until a new process is ready. @param check called repeatedly, until it returns something truthy
 * @throws {Failure} with the end of the process's log, at once if it ends before it is ready; it is stopped
 */
export async function waitUntil<T>(check: () => Promise<T>, { name, process, withinMs }: WaitOptions): Promise<T> {
	const deadline = Date.now() + withinMs;
	let hasEnded = false;
	void process.exit.finally(() => (hasEnded = true)).catch(() => {});
	const fail = async (text: string) => {
		await process.stop();
		throw createFailure(text, { output: process.readOutput(), log: process.log });
	};
	for (;;) {
		const result = await check();
		if (result) return result;
		if (hasEnded) await fail(`${name} ended instead of starting; the lines above say why.`);
		if (Date.now() > deadline) await fail(`${name} was not ready within ${formatDuration(withinMs)}.`);
		await sleep(POLL_MS);
	}
}
