import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { installEnvironment } from '../bootstrap/environment.mjs';
import { failureOf } from '../bootstrap/failure.mjs';
import { packPackage, unpackPackage } from '../install/tarball.mts';
import { npm } from '../bootstrap/processes.mjs';
import { type N8n, nodesFolder } from './home.mts';

export const PACKAGE = 'n8n-nodes-voice-admin';

/** Puts the package where n8n looks for community nodes: unpacked from its tarball, so that what runs here is what would be published. */
export async function loadPackage(n8n: N8n): Promise<void> {
	const nodeModules = path.join(nodesFolder(n8n), 'node_modules');
	await mkdir(nodeModules, { recursive: true });
	await unpackPackage(await packPackage(), path.join(nodeModules, PACKAGE));
	await linkPeer(n8n);
}

/** Installs the packed package as its users do by hand: with npm, in n8n's folder for community nodes. */
export async function installPackage(n8n: N8n): Promise<void> {
	const folder = nodesFolder(n8n);
	await mkdir(folder, { recursive: true });
	// Told where, as npm would otherwise look further up for a package.json, and find the clone's.
	const args = ['install', '--prefix', folder, '--omit=peer', await packPackage()];
	const result = await npm(args, { log: 'npm-install-package', cwd: folder, env: installEnvironment() });
	if (result.code !== 0) throw failureOf('npm could not install the package from its tarball; the lines above say why.', result);
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
	await symlink(path.join(n8n.modules, 'n8n-workflow'), peer, 'junction');
}
