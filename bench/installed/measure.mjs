import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodesFolder } from '../../scripts/n8n/home.mjs';
import { loadPackage, PACKAGE } from '../../scripts/n8n/load-package.mjs';
import { runEnvironment } from '../../scripts/setup/environment.mjs';
import { Failure } from '../../scripts/setup/failure.mjs';
import { packPackage } from '../../scripts/setup/package-tarball.mjs';
import { ROOT } from '../../scripts/setup/paths.mjs';
import { runLogged, tail } from '../../scripts/setup/run-logged.mjs';

const LOAD = fileURLToPath(new URL('./load.cjs', import.meta.url));
const TIMES = 15;

/**
 * What the package costs an n8n that has it installed.
 * @param {import('../../scripts/n8n/home.mjs').N8n} n8n
 * @returns {Promise<Installed>}
 * @typedef {{ load: number[], tarball: number }} Installed load: ms, each in a fresh process; tarball: bytes
 */
export async function measureInstalled(n8n) {
	const tarball = statSync(await packPackage()).size;
	await loadPackage(n8n);
	const load = [];
	for (let n = 0; n < TIMES; n++) load.push(await timeToLoad(n8n));
	return { load, tarball };
}

async function timeToLoad(n8n) {
	const folder = path.join(nodesFolder(n8n), 'node_modules', PACKAGE);
	const { code, stdout, output } = await runLogged(n8n.node.bin, [LOAD, folder], { log: 'bench-load', cwd: ROOT, env: runEnvironment() });
	if (code !== 0) throw new Failure('The package could not be loaded; the lines above say why.', { details: tail(output) });
	return Number(stdout);
}
