import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installFailure } from '../bootstrap/failure.mjs';
import { CACHE, ROOT, runtimeFolder } from '../bootstrap/paths.mjs';
import { runNpm, runOrFail } from '../bootstrap/processes.mjs';
import { step } from '../bootstrap/progress.mjs';
import { hashOf, unlessDone } from './buildCache.mts';
import { type Choice, LINES_FOLDER, N8N_LINES, N8N_VERSIONS, NEWEST, runtimeFor } from './n8nVersions.mts';
import { canBringNode24, compileEnvironment, ensureNode24, type NodeRuntime, runningNode } from './nodeRuntime.mts';
import { ensureBuilt } from './tarball.mts';

/** An installed n8n. */
export interface Installed {
	version: string;
	/** Which runs it. */
	node: NodeRuntime;
	/** Path of its command. */
	cli: string;
	/** Path of its node_modules. */
	modules: string;
}

const NEWEST_PINNED = N8N_VERSIONS.at(-1)!.version;

/** Which n8n this machine gets; a Failure where it can't have the version that was asked for. */
export const chooseRuntime = (asked?: string): Choice => runtimeFor(process.versions.node, asked, canBringNode24());

/** The built package, and an n8n for it; quick where they are there. */
export async function prepare(choice: Choice): Promise<Installed> {
	await ensureBuilt();
	return await ensureRuntime(choice);
}

/** A real n8n, installed from its committed lock; the newest, which has none, as the registry gives it. */
export async function ensureRuntime(choice: Choice): Promise<Installed> {
	const node = await nodeFor(choice);
	const isNewest = choice.version === NEWEST;
	const version = isNewest ? await newestVersion() : choice.version;
	const folder = isNewest ? await folderOfNewest(version) : runtimeFolder(version);
	const modules = await installModules(`n8n ${version}`, '1.3 GB, a few minutes the first time', folder, node, !isNewest);
	return { version, node, modules, cli: path.join(modules, 'n8n', 'bin', 'n8n') };
}

/** Installs n8n-core of all lines, which share most of what they need. @returns the Node that runs them: the newest n8n's, on which the others run, too */
export async function ensureLines(): Promise<NodeRuntime> {
	const node = await nodeFor(chooseRuntime(NEWEST_PINNED));
	const what = `n8n-core of ${N8N_LINES.length} versions of n8n`;
	await installModules(what, '0.5 GB, half a minute', LINES_FOLDER, node);
	return node;
}

/** The Node that runs an n8n. */
const nodeFor = async ({ bringNode24 }: Choice) => (bringNode24 ? await ensureNode24() : runningNode());

async function newestVersion(): Promise<string> {
	const args = ['view', 'n8n', 'version', '--loglevel=error'];
	return (await runNpm(args, { log: 'n8n-newest-version' }, (result) => installFailure('the newest n8n', result))).trim();
}

/**
 * A folder like those of the pinned versions, but without a lock: it is there to learn early of what a coming n8n breaks. It
 * has the overrides of the newest pinned version.
 */
async function folderOfNewest(version: string): Promise<string> {
	const folder = path.join(CACHE, 'n8n-newest');
	await mkdir(folder, { recursive: true });
	const manifest = { name: 'n8n-runtime-newest', private: true, dependencies: { n8n: version } };
	await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
	await copyFile(path.join(runtimeFolder(NEWEST_PINNED), 'pnpm-workspace.yaml'), path.join(folder, 'pnpm-workspace.yaml'));
	return folder;
}

/**
 * Installs a folder's node_modules with pnpm, whose store is in the clone's `.cache`; quick where they are there.
 * @param what its name in sentences, such as `n8n 2.8.4`
 * @param takes how much and how long, for the screen
 * @param folder with a package.json, a pnpm-workspace.yaml and a lock, unless not
 * @param node for which native modules are compiled
 * @returns their path
 */
async function installModules(what: string, takes: string, folder: string, node: NodeRuntime, isLocked = true): Promise<string> {
	const modules = path.join(folder, 'node_modules');
	// Native modules are compiled for one version of Node's binary interface.
	const hash = () => hashOf(folder, ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml']);
	const input = () => [hash(), node.abi, process.platform, process.arch].join(' ');
	const work = async () => {
		// An install that was interrupted is begun again; what it has downloaded is in the store.
		await rm(modules, { recursive: true, force: true });
		const args = [PNPM, 'install', isLocked ? '--frozen-lockfile' : '--no-lockfile', ...PNPM_OPTIONS];
		const options = { log: path.basename(folder), cwd: folder, env: compileEnvironment(node) };
		await runOrFail(node.bin, args, options, (result) => installFailure(what, result));
	};
	await unlessDone(path.join(modules, '.complete'), input, async () => await step(`Installing ${what} (${takes})`, work));
	return modules;
}

const PNPM = path.join(ROOT, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs');
const PNPM_OPTIONS = [
	'--ignore-scripts=false',
	'--reporter=append-only',
	`--store-dir=${path.join(CACHE, 'pnpm', 'store')}`,
	`--config.cache-dir=${path.join(CACHE, 'pnpm', 'cache')}`,
	`--config.state-dir=${path.join(CACHE, 'pnpm', 'state')}`,
];
