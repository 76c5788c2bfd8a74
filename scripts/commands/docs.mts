import { writeFile } from 'node:fs/promises';
import { fromRoot } from '../bootstrap/paths.mjs';
import { commandLine, defineCommand } from './command.mts';

export const docs = defineCommand(
	commandLine('npm run docs', "Updates the generated parts of docs/operations.md from the node's sources."),
	async () => {
		const { FILE, operationsReference } = await import('../docs/operations.ts');
		await writeFile(FILE, operationsReference());
		console.log(`✓ ${fromRoot(FILE)}`);
	},
);
