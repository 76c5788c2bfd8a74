import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { scan } from '../check/scan.mjs';
import { ensureBuilt } from '../setup/build.mjs';
import { runToTheEnd } from '../setup/lifetime.mjs';
import { readOptions } from '../setup/options.mjs';
import { packPackage } from '../setup/package-tarball.mjs';
import { CACHE, fromRoot, ROOT } from '../setup/paths.mjs';
import { ensureProject } from '../setup/project.mjs';
import { writeSbom } from './sbom.mjs';

const RELEASE = path.join(CACHE, 'release');

const HELP = `npm run release:build [-- options]

Makes in .cache/release what a release consists of: the tarball that is published, its bill of materials, the
SHA-256 of both, and the notes, which are the version's section of CHANGELOG.md. n8n's gate for verified nodes
is run on just this tarball; where it fails, the folder stays empty.

  --help  this text`;

await runToTheEnd(async () => {
	const { help } = readOptions('npm run release:build', process.argv.slice(3), {});
	if (help) {
		console.log(HELP);
		return;
	}
	await ensureProject();
	await ensureBuilt();
	await rm(RELEASE, { recursive: true, force: true });
	await mkdir(RELEASE, { recursive: true });
	const tarball = await packPackage(RELEASE);
	if (!(await scan(tarball))) {
		await rm(RELEASE, { recursive: true, force: true });
		return 1;
	}
	const sbom = tarball.replace(/\.tgz$/, '.cdx.json');
	await writeSbom(sbom);
	await writeFile(path.join(RELEASE, 'SHA256SUMS'), await sumsOf([tarball, sbom]));
	await writeFile(path.join(RELEASE, 'NOTES.md'), await notes());
	console.log(`✓ ${fromRoot(RELEASE)}\n${await readFile(path.join(RELEASE, 'SHA256SUMS'), 'utf8')}`);
});

/** As `sha256sum --check` reads them. */
async function sumsOf(files) {
	const lines = files.map(async (file) => `${createHash('sha256').update(await readFile(file)).digest('hex')}  ${path.basename(file)}\n`);
	return (await Promise.all(lines)).join('');
}

async function notes() {
	const { sectionsOf } = await import('./changelog.mjs');
	const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
	const section = sectionsOf(await readFile(path.join(ROOT, 'CHANGELOG.md'), 'utf8')).find((each) => each.version === version);
	return `${section?.text ?? ''}\n`;
}
