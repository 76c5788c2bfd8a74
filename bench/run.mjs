import path from 'node:path';
import { n8nAt } from '../scripts/n8n/home.mjs';
import { prepare } from '../scripts/n8n/prepare.mjs';
import { runToTheEnd } from '../scripts/setup/lifetime.mjs';
import { requireToBeTheOnlyOne } from '../scripts/setup/only-one.mjs';
import { ensureProject } from '../scripts/setup/project.mjs';
import { chooseRuntime } from '../scripts/setup/runtime.mjs';
import { HELP, readBenchOptions } from './options.mjs';
import { BENCH } from './results.mjs';

await runToTheEnd(async () => {
	const options = readBenchOptions(process.argv.slice(2));
	if (options.help) {
		console.log(HELP);
		return;
	}
	await ensureProject();
	// Imported late: what they need is there from here on.
	if (options.report) {
		const { writeReport } = await import('./report/write.mjs');
		await writeReport(options);
		return;
	}
	const choice = chooseRuntime(options.n8n);
	requireToBeTheOnlyOne('npm run bench', path.join(BENCH, 'running.json'));
	const installed = await prepare(choice);
	const n8n = n8nAt(installed, path.join(BENCH, `n8n-${installed.version}`));
	if (options.profile) {
		const { profileNode } = await import('./profile/run.mjs');
		await profileNode(n8n, options);
	} else {
		const { measureAll } = await import('./measure.mjs');
		await measureAll(n8n, options);
	}
});
