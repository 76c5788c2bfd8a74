import type { Sandbox } from '../../sandbox';
import { secretsInLog } from '../../scripts/n8n/credentials.mts';
import type { QueueMode, Worker } from '../../scripts/n8n/queueMode.mts';

/** Executions that a worker has begun and not ended. */
export const inFlight = (worker: Worker): string[] => worker.started().filter((id) => !worker.finished().includes(id));

/** Secrets in the logs of workers that were killed. */
const leaked: string[] = [];

/** Kills a worker, and reads its log, which the next worker of its name overwrites. */
export async function kill(worker: Worker): Promise<void> {
	await worker.kill();
	leaked.push(...(await secretsInLog(worker)));
}

/** Ends what a file of tests has started, and expects no secret in any log. */
export async function endAll(queue: QueueMode | undefined, ...sandboxes: Array<Sandbox | undefined>): Promise<void> {
	await queue?.stop();
	for (const sandbox of sandboxes) await sandbox?.close();
	if (queue) for (const each of [queue, ...queue.workers]) leaked.push(...(await secretsInLog(each)));
	expect(leaked).toEqual([]);
}
