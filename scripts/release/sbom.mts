import { rm } from 'node:fs/promises';
import path from 'node:path';
import { failureOf } from '../bootstrap/failure.mjs';
import { ROOT } from '../bootstrap/paths.mjs';
import { runEnvironment } from '../bootstrap/environment.mjs';
import { runLogged } from '../bootstrap/processes.mjs';

/**
 * Writes the software bill of materials of the published package: CycloneDX 1.6 as JSON, valid, and the same for
 * the same sources. It lists what is delivered, which is the package alone. Not n8n-workflow, the peer: n8n brings
 * its own, whichever that is. Not the development tools: nobody gets them with the package, and package-lock.json
 * has them all.
 * @param file where to
 */
export async function writeSbom(file: string): Promise<void> {
	await rm(file, { force: true });
	const tool = path.join(ROOT, 'node_modules', '@cyclonedx', 'cyclonedx-npm', 'bin', 'cyclonedx-npm-cli.js');
	// From the lock and not from node_modules, which may hold more.
	const what = ['--omit', 'dev', '--omit', 'peer', '--package-lock-only', '--mc-type', 'library'];
	const how = ['--spec-version', '1.6', '--output-format', 'JSON', '--output-reproducible', '--validate', '--output-file', file];
	const result = await runLogged(process.execPath, [tool, ...what, ...how], { log: 'sbom', cwd: ROOT, env: runEnvironment() });
	// Where its validator is missing, the tool only warns.
	if (result.code !== 0 || result.output.includes('skipped validating')) {
		await rm(file, { force: true });
		throw failureOf('The software bill of materials could not be made; the lines above say why.', result);
	}
}
