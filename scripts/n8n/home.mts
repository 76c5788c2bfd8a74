import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { runEnvironment, withNodeFirst } from '../bootstrap/environment.mjs';
import { CACHE } from '../bootstrap/paths.mjs';
import { runNpm } from '../bootstrap/processes.mjs';
import type { Installed } from '../install/runtime.mts';
import { packPackage, unpackPackage } from '../install/tarball.mts';
import { anyFreePort } from '../servers/ports.mts';

/** Environment variables of n8n. */
export type Settings = Record<string, string>;

/** An installed n8n with a place for its data. A newer n8n changes the database for good, so no two versions may share a home. */
export interface N8n extends Installed {
	/** The folder that n8n takes for the user's. */
	home: string;
	/** Such as the queue mode's. */
	settings: Settings;
}

/** What variables by which an n8n can be configured begin with; those of the user's own n8n are not for this one. */
const N8N_VARIABLES =
	/^(N8N|DB|QUEUE|EXECUTIONS|CREDENTIALS|WORKFLOWS|WEBHOOK|NODES|NODE_FUNCTION|GENERIC|OFFLOAD|LICENSE|NODE_OPTIONS|NODE_PATH)(_|$)/;

/** What an n8n on one's own machine has no use for, or would ask the internet for. */
const QUIET = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_PYTHON_ENABLED: 'false',
	N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '4',
	// The session cookie would otherwise want https.
	N8N_SECURE_COOKIE: 'false',
};

export const n8nAt = (installed: Installed, home: string, settings: Settings = {}): N8n => ({ ...installed, home, settings });

/** Where an n8n keeps its community packages. */
const nodesFolder = ({ home }: { home: string }) => path.join(home, '.n8n', 'nodes');

/** Where it has this one. */
export const packageFolder = (n8n: { home: string }) => path.join(nodesFolder(n8n), 'node_modules', 'n8n-nodes-voice-admin');

/** An n8n with a home of its own, as on a machine of its own, that has the same packages as another. */
export async function n8nLike(other: N8n, home: string, settings?: Settings): Promise<N8n> {
	const own = n8nAt(other, home, settings);
	await mkdir(path.dirname(nodesFolder(own)), { recursive: true });
	await symlink(nodesFolder(other), nodesFolder(own)).catch((error: NodeJS.ErrnoException) => {
		// One that is started again has its home already.
		if (error.code !== 'EEXIST') throw error;
	});
	return own;
}

/** The environment of one process of an n8n. Each process needs a call of its own: it carries a port for its task runners. */
export async function n8nEnvironment({ node, home, settings }: N8n): Promise<NodeJS.ProcessEnv> {
	const own = Object.entries(runEnvironment()).filter(([name]) => !N8N_VARIABLES.test(name));
	const proxyExceptions = ['127.0.0.1', 'localhost', process.env.NO_PROXY ?? process.env.no_proxy].filter(Boolean).join(',');
	return {
		...withNodeFirst(Object.fromEntries(own), node),
		...QUIET,
		NODE_ENV: 'production',
		// n8n loads thousands of files; Node 22 and later keep them compiled, which spares each start a second.
		NODE_COMPILE_CACHE: path.join(CACHE, 'compiled'),
		NO_PROXY: proxyExceptions,
		no_proxy: proxyExceptions,
		N8N_USER_FOLDER: home,
		N8N_HOST: 'localhost',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(await anyFreePort()),
		...settings,
	};
}

/** Puts the package where n8n looks for community nodes: unpacked from its tarball, so that what runs here is what would be published. */
export async function loadPackage(n8n: N8n): Promise<void> {
	await unpackPackage(await packPackage(), packageFolder(n8n));
	await linkPeer(n8n);
}

/** Installs the packed package as its users do by hand: with npm, in n8n's folder for community nodes. */
export async function installPackage(n8n: N8n): Promise<void> {
	const folder = nodesFolder(n8n);
	await mkdir(folder, { recursive: true });
	// Told where, as npm would otherwise look further up for a package.json, and find the clone's.
	const args = ['install', '--prefix', folder, '--omit=peer', await packPackage()];
	await runNpm(args, { log: 'npm-install-package', cwd: folder }, 'npm could not install the package from its tarball; the lines above say why.');
	await linkPeer(n8n);
}

/**
 * Links n8n's own n8n-workflow, the package's peer, beside it. n8n finds its own by NODE_PATH, but only where no other is
 * found first: Node would look further up and find the one among the clone's development tools, whose errors this n8n does
 * not recognize as errors of nodes.
 */
async function linkPeer(n8n: N8n): Promise<void> {
	const peer = path.join(nodesFolder(n8n), 'node_modules', 'n8n-workflow');
	await rm(peer, { recursive: true, force: true });
	await symlink(path.join(n8n.modules, 'n8n-workflow'), peer);
}
