import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { packPackage, unpackPackage } from '../setup/package-tarball.mjs';
import { n8nHome } from './n8n-home.mjs';

const NAME = 'n8n-nodes-voice-admin';

/**
 * Puts the package where n8n looks for community nodes: unpacked from its tarball, so that what runs here is
 * what would be published.
 * @param {{ version: string, modules: string }} runtime
 */
export async function loadPackage({ version, modules }) {
	const nodeModules = path.join(n8nHome(version), '.n8n', 'nodes', 'node_modules');
	await mkdir(nodeModules, { recursive: true });
	await unpackPackage(await packPackage(), path.join(nodeModules, NAME));
	// The package's peer is n8n's own n8n-workflow. Without this link Node would look further up and find the
	// one among the clone's development tools, whose errors this n8n does not recognise as errors of nodes.
	const peer = path.join(nodeModules, 'n8n-workflow');
	await rm(peer, { recursive: true, force: true });
	await symlink(path.join(modules, 'n8n-workflow'), peer, 'junction');
}
