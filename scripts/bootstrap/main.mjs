import os from 'node:os';
import { installEnvironment } from './environment.mjs';
import { printFailure } from './failure.mjs';
import { ensureProject } from './project.mjs';

try {
	await ensureProject();
} catch (error) {
	printFailure(error);
	process.exit(1);
}
// From here on libraries may be imported, and TypeScript is understood. tsx keeps its cache in the temporary folder.
const { TMPDIR = os.tmpdir() } = process.env;
process.env.TMPDIR = installEnvironment().TMPDIR;
try {
	// @ts-expect-error it has no types
	await import('tsx');
} catch {
	console.error('A part of node_modules is missing. Remove that folder, then run the command again.');
	process.exit(1);
}
process.env.TMPDIR = TMPDIR;
const { main } = await import('../commands/main.mts');
await main(process.argv.slice(2));
