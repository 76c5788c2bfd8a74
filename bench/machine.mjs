import { spawnSync } from 'node:child_process';
import os from 'node:os';

/**
 * Where something was measured. memory: bytes; node: version of the Node that runs n8n
 * @typedef {{ processor: string, cores: number, memory: number, system: string, node: string }} Machine
 *
 * @param {{ bin: string }} node the Node that runs n8n
 * @returns {Machine}
 */
export function thisMachine(node) {
	const cores = os.cpus();
	return {
		processor: cores[0]?.model.trim() ?? 'unknown',
		cores: cores.length,
		memory: os.totalmem(),
		system: `${os.type()} ${os.release()} ${os.arch()}`,
		node: spawnSync(node.bin, ['--version'], { encoding: 'utf8' }).stdout.trim().replace(/^v/, ''),
	};
}
