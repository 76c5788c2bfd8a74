import { statSync } from 'node:fs';
import path from 'node:path';
import { type N8n, nodesFolder } from '../../scripts/n8n/home.mts';
import { loadPackage, PACKAGE } from '../../scripts/n8n/loadPackage.mts';
import { packPackage } from '../../scripts/install/tarball.mts';
import type { Results } from '../results.mts';
import { runProgram } from './execute.mts';

const TIMES = 15;

/** Loads a package as n8n does: n8n-workflow, which n8n has loaded long before, is not counted. */
const LOAD = `
	const requireThere = require('node:module').createRequire(process.argv[1]);
	requireThere('n8n-workflow');
	const { n8n } = requireThere('./package.json');
	const started = performance.now();
	for (const file of [...n8n.credentials, ...n8n.nodes]) {
		for (const Described of Object.values(requireThere('./' + file))) new Described();
	}
	console.log(performance.now() - started);`;

/** What the package costs an n8n that has it installed. */
export async function measureInstalled(n8n: N8n): Promise<NonNullable<Results['installed']>> {
	const tarball = statSync(await packPackage()).size;
	await loadPackage(n8n);
	const load: number[] = [];
	const manifest = path.join(nodesFolder(n8n), 'node_modules', PACKAGE, 'package.json');
	for (let n = 0; n < TIMES; n++) load.push(Number(await runProgram(n8n, ['-e', LOAD, manifest], 'bench-load')));
	return { load, tarball };
}
