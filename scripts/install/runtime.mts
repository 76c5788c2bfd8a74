import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installEnvironment } from '../bootstrap/environment.mjs';
import { installFailure } from '../bootstrap/failure.mjs';
import { CACHE, ROOT, runtimeFolder } from '../bootstrap/paths.mjs';
import { npm } from '../bootstrap/processes.mjs';
import { installModules } from './modules.mts';
import { type Choice, N8N_VERSIONS, NEWEST, runtimeFor } from './n8nVersions.mts';
import { canBringNode24, ensureNode24, type NodeRuntime, runningNode } from './nodeRuntime.mts';
import { ensureBuilt } from './tarball.mts';

/**
 * A folder like those of the pinned versions for the newest n8n of the registry, but without a lock: it is there to learn
 * early of what a coming n8n breaks. It has the overrides of the newest pinned version.
 */
async function newestN8n(): Promise<{ version: string; folder: string }> {
	const result = await npm(['view', 'n8n', 'version', '--loglevel=error'], { log: 'n8n-newest-version', cwd: ROOT, env: installEnvironment() });
	if (result.code !== 0) throw installFailure('the newest n8n', result);
	const version = result.output.trim();
	const folder = path.join(CACHE, 'n8n-newest');
	await mkdir(folder, { recursive: true });
	await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'n8n-runtime-newest', private: true, dependencies: { n8n: version } }));
	await copyFile(path.join(runtimeFolder(N8N_VERSIONS.at(-1)!.version), 'pnpm-workspace.yaml'), path.join(folder, 'pnpm-workspace.yaml'));
	return { version, folder };
}

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

/** Which n8n this machine gets; a Failure where it can't have the version that was asked for. */
export const chooseRuntime = (asked?: string): Choice => runtimeFor(process.versions.node, { asked, canBringNode24: canBringNode24() });

/** The built package, and an n8n for it; quick where they are there. */
export async function prepare(choice: Choice): Promise<Installed> {
	await ensureBuilt();
	return await ensureRuntime(choice);
}

/** A real n8n, installed from its committed lock; the newest, which has none, as the registry gives it. */
export async function ensureRuntime(choice: Choice): Promise<Installed> {
	const node = await nodeFor(choice);
	if (choice.version === NEWEST) return await install(await newestN8n(), node, '--no-lockfile');
	return await install({ version: choice.version, folder: runtimeFolder(choice.version) }, node, '--frozen-lockfile');
}

/** The Node that runs an n8n. */
export const nodeFor = async ({ bringNode24 }: Choice): Promise<NodeRuntime> => (bringNode24 ? await ensureNode24() : runningNode());

async function install({ version, folder }: { version: string; folder: string }, node: NodeRuntime, lockfile: '--frozen-lockfile' | '--no-lockfile'): Promise<Installed> {
	const modules = await installModules({
		what: `n8n ${version}`,
		takes: '1.3 GB, a few minutes the first time',
		log: `n8n-${version}`,
		folder,
		node,
		lockfile,
	});
	return { version, node, modules, cli: path.join(modules, 'n8n', 'bin', 'n8n') };
}
