import { rm } from 'node:fs/promises';
import path from 'node:path';
import { installFailure } from '../bootstrap/failure.mjs';
import { CACHE, ROOT } from '../bootstrap/paths.mjs';
import { runLogged } from '../bootstrap/processes.mjs';
import { step } from '../bootstrap/progress.mjs';
import { hashOf, unlessDone } from './buildCache.mts';
import { compileEnvironment, type NodeRuntime } from './nodeRuntime.mts';

/** What is installed, and where. */
interface Install {
	/** Its name in sentences, such as `n8n 2.8.4`. */
	what: string;
	/** What it takes, for the screen. */
	takes: string;
	/** Name of its log. */
	log: string;
	/** Folder with a package.json and a pnpm-workspace.yaml, and a lock unless `lockfile` says that there is none. */
	folder: string;
	/** For which native modules are compiled. */
	node: NodeRuntime;
	lockfile?: '--frozen-lockfile' | '--no-lockfile';
}

/** Installs a folder's node_modules with pnpm, whose store is in the clone's `.cache`; quick where they are there. @returns their path */
export async function installModules({ what, takes, log, folder, node, lockfile = '--frozen-lockfile' }: Install): Promise<string> {
	const modules = path.join(folder, 'node_modules');
	// Native modules are compiled for one version of Node's binary interface.
	const input = () => [hashOf(folder, ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml']), node.abi, process.platform, process.arch].join(' ');
	const work = async (report: (line: string) => void) => {
		// An install that was interrupted is begun again; what it has downloaded is in the store.
		report('removing what an earlier install left');
		await rm(modules, { recursive: true, force: true });
		const result = await runLogged(node.bin, pnpmArguments(lockfile), { log, cwd: folder, env: compileEnvironment(node), report });
		if (result.code !== 0) throw installFailure(what, result);
	};
	await unlessDone(path.join(modules, '.complete'), input, async () => await step(`Installing ${what} (${takes})`, work));
	return modules;
}

const pnpmArguments = (lockfile: string) => [
	path.join(ROOT, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs'),
	'install',
	lockfile,
	'--ignore-scripts=false',
	'--reporter=append-only',
	`--store-dir=${path.join(CACHE, 'pnpm', 'store')}`,
	`--config.cache-dir=${path.join(CACHE, 'pnpm', 'cache')}`,
	`--config.state-dir=${path.join(CACHE, 'pnpm', 'state')}`,
];
