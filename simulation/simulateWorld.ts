import { LoggerProxy } from 'n8n-workflow';

import { type History, N8n } from './n8n';
import { execute } from './run';
import type { Service } from './service';
import { runTrigger } from './trigger';
import type { World } from './world';

/** Nobody waits for longer, but a poll that has left its limit of 3 minutes behind. */
const MAX_WAIT_MS = 130_000;

/** A world that is not over by then never will be. */
const END_MS = 6 * 3_600_000;

/** Lets a world happen. The same world always has the same history. @param isRefused by default, the service refuses no valid token */
export async function simulateWorld(world: World, isRefused?: Service['isRefused']): Promise<History> {
	const n8n = await N8n.of(world);
	const { clock, history, service } = n8n;
	if (isRefused) service.isRefused = isRefused;
	const log = (message: string, meta: unknown) => void history.log.push(`${message} ${JSON.stringify(meta)}`);
	LoggerProxy.init({ debug: log, info: log, warn: log, error: log });
	const recordUncaught = (error: unknown) =>
		void history.leftovers.push(`an error that nobody caught: ${String(error)}`);
	process.on('unhandledRejection', recordUncaught);
	world.runs.forEach((of, run) => void execute(n8n, of, run));
	if (world.trigger) runTrigger(n8n, world.trigger);
	await clock.run(() => n8n.activeCount === 0, END_MS);
	history.simulatedMs = clock.now;
	if (n8n.activeCount > 0) history.leftovers.push('a run');
	// A login that is shared goes on when its run has been cancelled.
	await clock.run(() => service.inFlight === 0, clock.now + 400_000);
	await clock.run(() => clock.sleepCount === 0 && service.inFlight === 0, clock.now + MAX_WAIT_MS);
	if (clock.sleepCount > 0) history.leftovers.push('a wait');
	if (n8n.end()) history.leftovers.push('a permit that was not given back');
	// Node speaks of such errors when nothing else is left to do.
	await new Promise((resolve) => setImmediate(resolve));
	process.off('unhandledRejection', recordUncaught);
	return history;
}
