import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fromRoot, ROOT } from '../bootstrap/paths.mjs';
import { ensureBuilt, packPackage } from '../install/package.mts';
import { defineCommand } from '../lib/command.mts';
import { runEnvironment } from '../bootstrap/environment.mjs';
import { runProcess } from '../bootstrap/processes.mjs';
import { scan } from '../release/gate.mts';
import { sandboxArguments } from '../servers/sandbox.mts';

/** The sandbox reads its options, and explains them, itself. */
export const sandbox = defineCommand({
	name: 'npm run sandbox',
	summary: 'Starts the sandbox of the API.',
	forwards: true,
	async run(_, { others, endsWell }) {
		endsWell();
		return (await runProcess(process.execPath, sandboxArguments(others), { cwd: ROOT, env: runEnvironment(), stdout: 'inherit', stderr: 'inherit' })) ?? 1;
	},
});

export const gate = defineCommand({
	name: 'npm run gate',
	summary: "Runs n8n's gate for verified nodes on the sources and on the packed package.",
	async run() {
		await ensureBuilt();
		return (await scan(await packPackage())) ? 0 : 1;
	},
});

export const docs = defineCommand({
	name: 'npm run docs',
	summary: 'Writes docs/operations.md from the sources of the node.',
	async run() {
		const { operationsReference } = await import('../docs/operations.ts');
		const file = path.join(ROOT, 'docs', 'operations.md');
		await writeFile(file, operationsReference());
		console.log(`✓ ${fromRoot(file)}`);
	},
});
