import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { createRunEnv, putNodeOnPath } from '../bootstrap/environment.mjs';
import { CACHE } from '../bootstrap/paths.mjs';
import { runNpm } from '../bootstrap/processes.mjs';
import type { InstalledN8n } from '../install/runtime.mts';
import { unpackPackage } from '../install/package.mts';
import { findFreePort } from '../servers/ports.mts';

/** Environment variables of n8n. */
export type Settings = Record<string, string>;

/** An installed n8n with its data folder. Versions can't share one, as a newer n8n migrates the database irreversibly. */
export interface N8nInstance extends InstalledN8n {
	/** N8N_USER_FOLDER. */
	home: string;
	/** E.g. those of queue mode. */
	settings: Settings;
}

/** Environment variables that configure n8n, by prefix. The user's own are removed: they are meant for another n8n. */
const N8N_VARIABLES = new RegExp(
	'^(N8N|DB|QUEUE|EXECUTIONS|CREDENTIALS|WORKFLOWS|WEBHOOK|NODES|GENERIC|OFFLOAD|LICENSE|EXTERNAL|DEPLOYMENT|ENVIRONMENT|NODE_(FUNCTION|OPTIONS|PATH))(_|$)',
);

/** Turns off what a local n8n doesn't need, and all requests to the internet. */
const QUIET_SETTINGS = {
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
	// Otherwise the session cookie requires HTTPS.
	N8N_SECURE_COOKIE: 'false',
};

/** The folder of the community packages. */
const nodesFolderOf = ({ home }: { home: string }) => path.join(home, '.n8n', 'nodes');

/** The folder of this package. */
export const packageFolderOf = (n8n: { home: string }) =>
	path.join(nodesFolderOf(n8n), 'node_modules', 'n8n-nodes-voice-admin');

/** An n8n with its own home, as if on another machine, that shares the community packages of an existing one. */
export async function createSiblingN8n(original: N8nInstance, home: string, settings: Settings = {}) {
	const n8n: N8nInstance = { ...original, home, settings };
	await mkdir(path.dirname(nodesFolderOf(n8n)), { recursive: true });
	await symlink(nodesFolderOf(original), nodesFolderOf(n8n)).catch((error: NodeJS.ErrnoException) => {
		// After a restart, the link exists already.
		if (error.code !== 'EEXIST') throw error;
	});
	return n8n;
}

/** The environment of a single n8n process: it contains the port of the process's task runners. */
export async function createN8nEnv({ node, home, settings }: N8nInstance): Promise<NodeJS.ProcessEnv> {
	const variables = Object.entries(createRunEnv()).filter(([name]) => !N8N_VARIABLES.test(name));
	const { NO_PROXY = process.env.no_proxy } = process.env;
	const proxyExceptions = ['127.0.0.1', 'localhost', ...(NO_PROXY ? [NO_PROXY] : [])].join(',');
	return {
		...putNodeOnPath(Object.fromEntries(variables), node),
		...QUIET_SETTINGS,
		NODE_ENV: 'production',
		// n8n loads thousands of files; Node 22 and later cache them compiled, which saves a second per start.
		NODE_COMPILE_CACHE: path.join(CACHE, 'compiled'),
		NO_PROXY: proxyExceptions,
		no_proxy: proxyExceptions,
		N8N_USER_FOLDER: home,
		N8N_HOST: 'localhost',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(await findFreePort()),
		...settings,
	};
}

/** Puts the package into n8n's folder for community nodes, unpacked from its tarball, so that n8n runs what would be published. */
export async function unpackIntoN8n(n8n: N8nInstance, tarball: string): Promise<void> {
	await unpackPackage(tarball, packageFolderOf(n8n));
	await linkPeerDependency(n8n);
}

/** Installs the packed package as users do manually: with npm, in n8n's folder for community nodes. */
export async function npmInstallIntoN8n(n8n: N8nInstance, tarball: string): Promise<void> {
	const folder = nodesFolderOf(n8n);
	await mkdir(folder, { recursive: true });
	// Without --prefix, npm would find the package.json of the clone in a parent folder.
	const args = ['install', '--prefix', folder, '--omit=peer', tarball];
	const failure = 'npm could not install the package from its tarball; the lines above say why.';
	await runNpm(args, { log: 'npm-install-package', cwd: folder }, failure);
	await linkPeerDependency(n8n);
}

/**
 * Links n8n's n8n-workflow, the peer dependency, next to the package. n8n provides it by NODE_PATH, which Node tries last: it
 * would first find n8n-workflow in the clone's node_modules, whose error classes this n8n doesn't recognize.
 */
async function linkPeerDependency(n8n: N8nInstance): Promise<void> {
	const peerFolder = path.join(nodesFolderOf(n8n), 'node_modules', 'n8n-workflow');
	await rm(peerFolder, { recursive: true, force: true });
	await symlink(path.join(n8n.modules, 'n8n-workflow'), peerFolder);
}
