import { startChild } from '../setup/children.mjs';
import { runEnvironment } from '../setup/environment.mjs';
import { runToTheEnd } from '../setup/lifetime.mjs';
import { ROOT } from '../setup/paths.mjs';
import { ensureProject } from '../setup/project.mjs';
import { sandboxCommand } from './process.mjs';

await runToTheEnd(async (endsWell) => {
	await ensureProject();
	endsWell();
	const { command, args } = sandboxCommand(process.argv.slice(2));
	const child = startChild(command, args, { cwd: ROOT, env: runEnvironment(), stdio: ['ignore', 'inherit', 'inherit'] });
	return await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', (code) => resolve(code ?? 1));
	});
});
