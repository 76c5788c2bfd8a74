import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { packPackage, unpackPackage } from '../setup/package-tarball.mjs';
import { nodesFolder } from './home.mjs';

export const PACKAGE = 'n8n-nodes-voice-admin';

/**
 * Puts the package where n8n looks for community nodes: unpacked from its tarball, so that what runs here is
 * what would be published.
 * @param {import('./home.mjs').N8n} n8n
 */
export async function loadPackage(n8n) {
	const nodeModules = path.join(nodesFolder(n8n), 'node_modules');
	await mkdir(nodeModules, { recursive: true });
	await unpackPackage(await packPackage(), path.join(nodeModules, PACKAGE));
	await linkPeer(n8n);
}

/**
 * Links n8n's own n8n-workflow, the package's peer, beside it. Without this link Node would look further up
 * and find the one among the clone's development tools, whose errors this n8n does not recognise as errors of
 * nodes.
 * @param {import('./home.mjs').N8n} n8n
 */
export async function linkPeer(n8n) {
	const peer = path.join(nodesFolder(n8n), 'node_modules', 'n8n-workflow');
	await rm(peer, { recursive: true, force: true });
	await symlink(path.join(n8n.modules, 'n8n-workflow'), peer, 'junction');
}
