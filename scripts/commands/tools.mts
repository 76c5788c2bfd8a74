import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fromRoot, ROOT } from '../bootstrap/paths.mjs';
import { ensureBuilt, packPackage } from '../install/tarball.mts';
import { defineCommand } from './command.mts';
import { runEnvironment, withNodeFirst } from '../bootstrap/environment.mjs';
import { canBringNode24, ensureNode24, runningNode } from '../install/nodeRuntime.mts';
import { runProcess } from '../bootstrap/processes.mjs';
import { scan } from '../release/gate.mts';
import { sandboxArguments } from '../servers/sandbox.mts';

const ON_SCREEN = { cwd: ROOT, stdout: 'inherit', stderr: 'inherit' } as const;

/** The sandbox reads its options, and explains them, itself. */
export const sandbox = defineCommand({
	name: 'npm run sandbox',
	summary: 'Starts the sandbox of the API.',
	forwards: true,
	async run(_, { others, endsWell }) {
		endsWell();
		return (await runProcess(process.execPath, sandboxArguments(others), { ...ON_SCREEN, env: runEnvironment() })) ?? 1;
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

export const mutation = defineCommand({
	name: 'npm run mutation',
	summary: `Changes the node's sources in small ways, one at a time, and runs the unit tests and those in n8n's executor: of each
change some test should fail. It takes more than an hour (trigger/ alone 10 minutes on two cores), and keeps its
results in .cache/mutation, so that the next run tries what has changed since.`,
	othersFor: 'stryker',
	notes: `Anything else goes to StrykerJS, such as --mutate nodes/VoiceAdmin/trigger/poll.ts or --force.
Exit code: 0 at least 85 % of the changes were noticed; 1 fewer were, or a test fails without any.`,
	async run(_, { others }) {
		// On Node 20 each test file leaves the next ones slower: its AsyncLocalStorage costs something for every promise, for good.
		const node = canBringNode24() ? await ensureNode24() : runningNode();
		const stryker = path.join(ROOT, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
		const env = withNodeFirst(runEnvironment(), node);
		return (await runProcess(node.bin, [stryker, 'run', 'test/mutation/stryker.config.json', ...others], { ...ON_SCREEN, env })) ?? 1;
	},
});

export const docs = defineCommand({
	name: 'npm run docs',
	summary: "Writes into docs/operations.md what is made of the node's sources.",
	async run() {
		const { FILE, operationsReference } = await import('../docs/operations.ts');
		await writeFile(FILE, operationsReference());
		console.log(`✓ ${fromRoot(FILE)}`);
	},
});
