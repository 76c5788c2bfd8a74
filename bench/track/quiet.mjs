import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Share of all cores that may be busy on a machine that counts as quiet. */
const BUSY = 0.1;
const LOOK_MS = 300;
const LONGEST_WAIT_MS = 5_000;

/**
 * Waits until the machine has nothing else to do. n8n starts a process for Code nodes beside each run, which is
 * busy for a second or two after n8n itself is on its starting line.
 * @returns {Promise<boolean>} false when the machine was still busy after some seconds: other programs take part
 */
export async function quiet() {
	const deadline = Date.now() + LONGEST_WAIT_MS;
	do {
		const before = times();
		await sleep(LOOK_MS);
		const after = times();
		if (1 - (after.idle - before.idle) / (after.all - before.all) <= BUSY) return true;
	} while (Date.now() < deadline);
	return false;
}

/** Time of all cores since the system's start, in ms: idle, and in all. */
function times() {
	const cores = os.cpus().map((core) => core.times);
	const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
	return { idle: sum(cores.map(({ idle }) => idle)), all: sum(cores.map((core) => sum(Object.values(core)))) };
}
