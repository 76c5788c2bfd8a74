import { fileURLToPath } from 'node:url';
import { runEnvironment } from '../../scripts/setup/environment.mjs';
import { Failure } from '../../scripts/setup/failure.mjs';
import { ROOT } from '../../scripts/setup/paths.mjs';
import { runLogged, tail } from '../../scripts/setup/run-logged.mjs';

const CLIENT = fileURLToPath(new URL('./client.mjs', import.meta.url));

/**
 * Measures Node's http alone, in a process of its own.
 * @param {string} node the Node to run it with: the one that runs n8n
 * @param {{ url: string, token: string, items: number, inFlight: number }} task
 * @returns {Promise<{ time: number, good: number, failed: number, cpu: number, peakMemory: number }>} time, cpu: ms;
 *   peakMemory: bytes
 */
export async function measureLimit(node, task) {
	const { code, stdout, output } = await runLogged(node, [CLIENT, JSON.stringify(task)], { log: 'bench-limit', cwd: ROOT, env: runEnvironment() });
	if (code !== 0) throw new Failure("Node's http alone failed against the service; the lines above say why.", { details: tail(output) });
	return JSON.parse(stdout);
}
