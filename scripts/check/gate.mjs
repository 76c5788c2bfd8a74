import { ensureBuilt } from '../setup/build.mjs';
import { runToTheEnd } from '../setup/lifetime.mjs';
import { packPackage } from '../setup/package-tarball.mjs';
import { ensureProject } from '../setup/project.mjs';
import { scan } from './scan.mjs';

const HELP = `npm run gate

Runs n8n's gate for verified nodes on the sources and on the packed package.`;

await runToTheEnd(async () => {
	if (process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')) {
		console.log(HELP);
		return;
	}
	await ensureProject();
	await ensureBuilt();
	return (await scan(await packPackage())) ? 0 : 1;
});
