import { mkdir } from 'node:fs/promises';
import { Failure } from '../setup/failure.mjs';
import { installEnvironment } from '../setup/environment.mjs';
import { npm } from '../setup/npm.mjs';
import { packPackage } from '../setup/package-tarball.mjs';
import { tail } from '../setup/run-logged.mjs';
import { nodesFolder } from './home.mjs';
import { linkPeer } from './load-package.mjs';

/**
 * Installs the packed package as its users do by hand: with npm, in n8n's folder for community nodes.
 * @param {import('./home.mjs').N8n} n8n
 */
export async function installPackage(n8n) {
	const folder = nodesFolder(n8n);
	await mkdir(folder, { recursive: true });
	// Told where, as npm would otherwise look further up for a package.json, and find the clone's.
	const result = await npm(['install', '--prefix', folder, '--omit=peer', await packPackage()], { log: 'npm-install-package', cwd: folder, env: installEnvironment() });
	if (result.code !== 0) throw new Failure('npm could not install the package from its tarball; the lines above say why.', { details: tail(result.output) });
	// n8n finds its own by NODE_PATH, but only where no other is found first; see linkPeer.
	await linkPeer(n8n);
}
