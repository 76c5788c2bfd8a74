import { copyFile, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Failure, toInstallFailure } from '../bootstrap/failure.mjs';
import { CACHE, ROOT, runtimeFolderOf } from '../bootstrap/paths.mjs';
import { runNpm, runOrFail } from '../bootstrap/processes.mjs';
import { runStep } from '../bootstrap/progress.mjs';
import { withTemporaryFolder } from '../bootstrap/temporaryFolder.mjs';
import { hashOf, runUnlessDone } from './stamp.mts';
import { N8N_CORE_VERSIONS, N8N_CORES_FOLDER, N8N_VERSIONS, NEWEST } from './n8nVersions.mts';
import { canInstallNode24, createCompileEnv, ensureNode24, type NodeRuntime, getNode } from './nodeRuntime.mts';

/** Which n8n to run, and on which Node. */
interface RuntimeChoice {
	version: string;
	/** Whether this Node is too old for it, so that a Node 24 is installed for it. */
	needsOwnNode24: boolean;
}

/** An installed n8n: the Node that runs it, and the path of its node_modules. */
export interface InstalledN8n {
	version: string;
	node: NodeRuntime;
	modules: string;
}

const NEWEST_PINNED = N8N_VERSIONS.at(-1)!.version;

/** Chooses the n8n for this machine. @param option of --n8n @throws {Failure} if this machine can't run that version */
export const chooseRuntime = (option?: string) => chooseN8n(process.versions.node, option, canInstallNode24());

/** Chooses the n8n for a version of Node, such as `22.12.0`. @throws {Failure} if no Node that it supports is available */
export function chooseN8n(nodeVersion: string, option?: string, isNode24Installable = false): RuntimeChoice {
	const major = parseInt(nodeVersion, 10);
	const version = option ?? N8N_VERSIONS.filter(({ from }) => major >= from).at(-1)!.version;
	const pinned = N8N_VERSIONS.find((each) => each.version === version) ?? N8N_VERSIONS.at(-1)!;
	if (option === undefined || (major >= pinned.from && major <= pinned.to)) return { version, needsOwnNode24: false };
	if (major < pinned.from && isNode24Installable) return { version, needsOwnNode24: true };
	const range = pinned.to === Infinity ? `Node ${pinned.from} or newer` : `Node ${pinned.from} to ${pinned.to}`;
	throw new Failure(
		`n8n ${version} needs ${range}, and this is Node ${nodeVersion}. ` +
			'Run the command with that version of Node, or choose another n8n version with --n8n.',
	);
}

/** Installs n8n from its committed lock file; `newest`, which has none, as the registry resolves it. Quick if it is up to date. */
export async function ensureRuntime(choice: RuntimeChoice): Promise<InstalledN8n> {
	const node = await chooseNode(choice);
	const isNewest = choice.version === NEWEST;
	const version = isNewest ? await fetchNewestVersion() : choice.version;
	const folder = isNewest ? await createNewestFolder(version) : runtimeFolderOf(version);
	const cost = '1.3 GB, a few minutes the first time';
	const modules = await installModules(`n8n ${version}`, cost, folder, node, !isNewest);
	return { version, node, modules };
}

/**
 * Installs every n8n-core of the tests; they share most dependencies.
 * @returns the Node for them: the newest n8n's, which the older ones support too
 */
export async function ensureN8nCores(): Promise<NodeRuntime> {
	const node = await chooseNode(chooseRuntime(NEWEST_PINNED));
	const title = `n8n-core of ${N8N_CORE_VERSIONS.length} versions of n8n`;
	await installModules(title, '0.5 GB, half a minute', N8N_CORES_FOLDER, node);
	return node;
}

const chooseNode = async ({ needsOwnNode24 }: RuntimeChoice) => (needsOwnNode24 ? await ensureNode24() : getNode());

async function fetchNewestVersion(): Promise<string> {
	const args = ['view', 'n8n', 'version', '--loglevel=error'];
	const log = 'n8n-newest-version';
	return (await runNpm(args, { log }, (result) => toInstallFailure('the newest n8n', result))).trim();
}

/**
 * Makes a folder like those of the pinned versions, with the newest one's overrides but no lock: it shows early what
 * the next n8n breaks.
 */
async function createNewestFolder(version: string): Promise<string> {
	const folder = path.join(CACHE, 'n8n-newest');
	await mkdir(folder, { recursive: true });
	const manifest = { name: 'n8n-runtime-newest', private: true, dependencies: { n8n: version } };
	await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
	const file = 'pnpm-workspace.yaml';
	await copyFile(path.join(runtimeFolderOf(NEWEST_PINNED), file), path.join(folder, file));
	return folder;
}

/**
 * Installs a folder's node_modules with pnpm, whose store is in the clone's `.cache`; quick if they are up to date.
 * @param title its name in messages, such as `n8n 2.8.4`
 * @param cost disk space and time, for the progress line
 * @param folder with a package.json and a pnpm-workspace.yaml, and a pnpm-lock.yaml if `isLocked`
 * @param node the Node that native modules are compiled for
 * @returns the path of node_modules
 */
async function installModules(title: string, cost: string, folder: string, node: NodeRuntime, isLocked = true) {
	const modules = path.join(folder, 'node_modules');
	// Native modules are compiled for one ABI version of Node.
	const hashSources = () => hashOf(folder, ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml']);
	const getInput = () => [hashSources(), node.abi, process.platform, process.arch].join(' ');
	const install = async () => {
		// An interrupted install starts over; its downloads are still in the store.
		await rm(modules, { recursive: true, force: true });
		const args = [PNPM_FILE, 'install', isLocked ? '--frozen-lockfile' : '--no-lockfile', ...PNPM_OPTIONS];
		const runPnpm = async (cwd: string, env: NodeJS.ProcessEnv) => {
			const options = { log: path.basename(folder), cwd, env };
			await runOrFail(node.bin, args, options, (result) => toInstallFailure(title, result));
		};
		if (/\s/.test(folder)) await installElsewhere(folder, node, runPnpm);
		else await runPnpm(folder, createCompileEnv(node));
	};
	const step = `Installing ${title} (${cost})`;
	await runUnlessDone(path.join(modules, '.complete'), getInput, async () => await runStep(step, install));
	return modules;
}

/**
 * Installs in a temporary folder, and moves node_modules from there: make and node-gyp, which compile native modules, break
 * paths at a space.
 */
async function installElsewhere(
	folder: string,
	node: NodeRuntime,
	install: (folder: string, env: NodeJS.ProcessEnv) => Promise<void>,
): Promise<void> {
	await withTemporaryFolder(path.join(os.tmpdir(), 'voice-admin-'), async (elsewhere) => {
		for (const file of await readdir(folder)) await copyFile(path.join(folder, file), path.join(elsewhere, file));
		const nodeFolder = path.join(elsewhere, 'node');
		await symlink(path.dirname(path.dirname(node.bin)), nodeFolder);
		await install(elsewhere, createCompileEnv({ ...node, bin: path.join(nodeFolder, 'bin', 'node') }));
		const options = { log: 'move', cwd: elsewhere, env: process.env };
		await runOrFail('mv', ['node_modules', folder], options, 'node_modules could not be moved into the clone.');
	});
}

const PNPM_FILE = path.join(ROOT, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs');
const PNPM_OPTIONS = [
	'--ignore-scripts=false',
	'--reporter=append-only',
	`--store-dir=${path.join(CACHE, 'pnpm', 'store')}`,
	`--config.cache-dir=${path.join(CACHE, 'pnpm', 'cache')}`,
	`--config.state-dir=${path.join(CACHE, 'pnpm', 'state')}`,
];
