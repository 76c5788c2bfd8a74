import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { runToTheEnd } from '../setup/lifetime.mjs';
import { readOptions } from '../setup/options.mjs';
import { CACHE, fromRoot } from '../setup/paths.mjs';
import { ensureProject } from '../setup/project.mjs';
import { writeSbom } from './sbom.mjs';

const HELP = `npm run sbom [-- options]

Writes the CycloneDX bill of materials of the published package, as a release carries it.

  --output FILE  where to (.cache/sbom.cdx.json)
  --help         this text`;

await runToTheEnd(async () => {
	const { help, output } = readOptions('npm run sbom', process.argv.slice(2), { output: { type: 'string', example: 'sbom.cdx.json' } });
	if (help) {
		console.log(HELP);
		return;
	}
	await ensureProject();
	const file = path.resolve(output ?? path.join(CACHE, 'sbom.cdx.json'));
	await mkdir(path.dirname(file), { recursive: true });
	await writeSbom(file);
	console.log(`✓ ${fromRoot(file)}`);
});
