import { runEnvironment } from '../bootstrap/environment.mjs';
import { ROOT } from '../bootstrap/paths.mjs';
import { runProcess } from '../bootstrap/processes.mjs';
import { sandboxArguments } from '../servers/sandbox.mts';
import { defineCommand } from './command.mts';

/** The sandbox reads its options, and explains them, itself. */
export const sandbox = defineCommand({
	name: 'npm run sandbox',
	summary: 'Starts the sandbox of the API.',
	forwards: true,
	async run(_, { others, endsWell }) {
		endsWell();
		const options = { cwd: ROOT, env: runEnvironment(), stdout: 'inherit', stderr: 'inherit' } as const;
		return (await runProcess(process.execPath, sandboxArguments(others), options)) ?? 1;
	},
});
