import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './failure.mjs';
import { fromRoot } from './paths.mjs';
import { readable } from './progress.mjs';
import { tail } from './run-logged.mjs';

const POLL_MS = 200;
const REPLY_WITHIN_MS = 5000;

/** Whether a GET of the address is answered with success. */
export async function answers(url) {
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(REPLY_WITHIN_MS) });
		await response.arrayBuffer();
		return response.ok;
	} catch {
		return false;
	}
}

/**
 * Waits for a process that was just started to be ready.
 * @template T
 * @param {() => Promise<T>} ready asked again and again until what it gives is true
 * @param {{ what: string, process: ReturnType<import('./run-logged.mjs').startLogged>, withinMs: number }} wait
 * @returns {Promise<T>}
 */
export async function waitUntil(ready, { what, process: started, withinMs }) {
	const deadline = Date.now() + withinMs;
	let ended = false;
	started.ended.then(
		() => (ended = true),
		() => (ended = true),
	);
	const details = () => `${tail(started.output())}\n(all of it: ${fromRoot(started.log)})`;
	for (;;) {
		const result = await ready();
		if (result) return result;
		if (ended) throw new Failure(`${what} ended instead of starting; the lines above say why.`, { details: details() });
		if (Date.now() > deadline) throw new Failure(`${what} was not ready within ${readable(withinMs)}.`, { details: details() });
		await sleep(POLL_MS);
	}
}
