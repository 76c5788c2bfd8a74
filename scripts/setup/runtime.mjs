import { rm } from 'node:fs/promises';
import path from 'node:path';
import { requireDiskSpace } from './disk.mjs';
import { compileEnvironment } from './environment.mjs';
import { installFailure } from './install-failure.mjs';
import { NEWEST, runtimeFor } from './n8n-versions.mjs';
import { newestN8n } from './newest-n8n.mjs';
import { canBringNode24, ensureNode24, runningNode } from './node-at-hand.mjs';
import { CACHE, ROOT, runtimeFolder } from './paths.mjs';
import { step } from './progress.mjs';
import { requireRegistry } from './registry.mjs';
import { runLogged } from './run-logged.mjs';
import { hashOf, stamp } from './stamp.mjs';

// Measured: 1.3 GB once installed, of which the store's copies are hard links, and room for compiling.
const GIGABYTES = 2;

/**
 * Which n8n this machine gets; a Failure where it can't have the one that was asked for.
 * @param {string} [asked] a version of n8n
 */
export function chooseRuntime(asked) {
	return runtimeFor(process.versions.node, { asked, canBringNode24: canBringNode24() });
}

/**
 * A real n8n, installed from its committed lock; the newest, which has none, as the registry gives it.
 * @param {ReturnType<typeof chooseRuntime>} choice
 * @returns {Promise<{ version: string, node: ReturnType<typeof runningNode>, cli: string, modules: string }>}
 *   the Node that runs it, its command and its node_modules
 */
export async function ensureRuntime({ version, bringNode24 }) {
	const node = bringNode24 ? await ensureNode24() : runningNode();
	if (version === NEWEST) return await install(await newestN8n(), node, '--no-lockfile');
	return await install({ version, folder: runtimeFolder(version) }, node, '--frozen-lockfile');
}

async function install({ version, folder }, node, lockfile) {
	const modules = path.join(folder, 'node_modules');
	const installed = stamp(path.join(modules, '.complete'));
	// Native modules are compiled for one version of Node's binary interface.
	const wanted = [hashOf(folder, ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml']), node.abi, process.platform, process.arch].join(' ');
	if (!installed.matches(wanted)) {
		await step(`Installing n8n ${version} (1.3 GB, a few minutes the first time)`, async (report) => {
			await requireDiskSpace(`n8n ${version}`, GIGABYTES);
			await requireRegistry();
			// An install that was interrupted is begun again; what it has downloaded is in the store.
			report('removing what an earlier install left');
			await rm(modules, { recursive: true, force: true });
			await pnpmInstall(version, folder, node, lockfile, report);
			installed.write(wanted);
		});
	}
	return { version, node, modules, cli: path.join(modules, 'n8n', 'bin', 'n8n') };
}

async function pnpmInstall(version, folder, node, lockfile, report) {
	const pnpm = path.join(ROOT, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs');
	const args = [
		pnpm,
		'install',
		lockfile,
		'--ignore-scripts=false',
		'--reporter=append-only',
		`--store-dir=${path.join(CACHE, 'pnpm', 'store')}`,
		`--config.cache-dir=${path.join(CACHE, 'pnpm', 'cache')}`,
		`--config.state-dir=${path.join(CACHE, 'pnpm', 'state')}`,
	];
	const result = await runLogged(node.bin, args, {
		log: `n8n-${version}`,
		cwd: folder,
		env: compileEnvironment(node),
		report,
	});
	if (result.code !== 0) throw installFailure(`n8n ${version}`, result);
}

