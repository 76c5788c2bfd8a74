import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CACHE, fromRoot, ROOT } from '../bootstrap/paths.mjs';
import { runNpm } from '../bootstrap/processes.mjs';
import { ensureBuilt, packPackage, unpackPackage } from '../install/tarball.mts';
import { type Manifest, type Release, problemsOf, sectionOf } from '../release/problems.mts';
import { commandLine, defineCommand } from './command.mts';

const RELEASE = path.join(CACHE, 'release');

export const releaseCheck = defineCommand(
	commandLine('npm run release:check', `Says whether the package in this folder could be published as it is: version, changelog, owner. The tests and
the gate are other commands: npm test, npm run release:build.`)
		.option('--tag <NAME>', 'the tag of the release, such as v0.1.0; has to fit the version')
		.option('--repository <NAME>', 'owner/name on GitHub of who publishes; has to be that in package.json')
		.addHelpText('after', '\nExit code: 0 nothing is in the way; 1 something is, and is printed.'),
	async ({ tag, repository }) => {
		const manifest = JSON.parse(await textOf('package.json')) as Manifest;
		const lock = JSON.parse(await textOf('package-lock.json')) as Release['lock'];
		const problems = problemsOf({ manifest, lock, changelog: await textOf('CHANGELOG.md'), tag, repository });
		for (const problem of problems) console.error(`✗ ${problem}`);
		if (problems.length > 0) return 1;
		console.log(`✓ ${manifest.name} ${manifest.version} may be published.`);
	},
);

export const releaseBuild = defineCommand(
	commandLine('npm run release:build', `Makes in .cache/release what a release consists of: the tarball that is published, its bill of materials, the
SHA-256 of both, and the notes, which are the version's section of CHANGELOG.md. n8n's gate for verified nodes
is run on just this tarball; where it fails, the folder stays empty.`),
	async () => {
		await ensureBuilt();
		await rm(RELEASE, { recursive: true, force: true });
		const tarball = await packPackage(RELEASE);
		if (!(await scan(tarball))) {
			await rm(RELEASE, { recursive: true });
			return 1;
		}
		const { version } = await manifestOf();
		const notes = sectionOf(await textOf(path.join(ROOT, 'CHANGELOG.md')), version)?.text ?? '';
		const files = [tarball, tarball.replace(/\.tgz$/, '.cdx.json'), path.join(RELEASE, 'NOTES.md')] as const;
		await writeSbom(files[1]);
		await writeFile(files[2], `${notes}\n`);
		const sums = (await Promise.all(files.map(sumOf))).join('');
		await writeFile(path.join(RELEASE, 'SHA256SUMS'), sums);
		console.log(`✓ ${fromRoot(RELEASE)}\n${sums}`);
	},
);

export const gate = defineCommand(
	commandLine('npm run gate', "Runs n8n's gate for verified nodes on the sources and on the packed package."),
	async () => {
		await ensureBuilt();
		return (await scan(await packPackage())) ? 0 : 1;
	},
);

const textOf = async (file: string) => await readFile(file, 'utf8');
const manifestOf = async () => JSON.parse(await textOf(path.join(ROOT, 'package.json'))) as Manifest;

/** As `sha256sum --check` reads it. */
async function sumOf(file: string): Promise<string> {
	return `${createHash('sha256').update(await readFile(file)).digest('hex')}  ${path.basename(file)}\n`;
}

/**
 * Writes the software bill of materials of the published package, by npm, and the same for the same sources. It lists what
 * is delivered, which is the package alone. Not n8n-workflow, the peer: n8n brings its own. Not the development tools:
 * nobody gets them with the package, and package-lock.json has them all.
 */
export async function writeSbom(file: string): Promise<void> {
	await rm(file, { force: true });
	// From the lock and not from node_modules, which may hold more.
	const what = ['--omit', 'dev', '--omit', 'peer', '--package-lock-only', '--sbom-type', 'library'];
	const args = ['sbom', '--sbom-format', 'cyclonedx', ...what, '--loglevel=error'];
	const output = await runNpm(args, { log: 'sbom' }, 'The software bill of materials could not be made; the lines above say why.');
	const reviver = (key: string, value: unknown) => (['serialNumber', 'timestamp'].includes(key) ? undefined : value);
	const bill = JSON.parse(output, reviver) as { metadata: { component: { name: string } } };
	// npm takes the folder's name.
	bill.metadata.component.name = (await manifestOf()).name;
	await writeFile(file, `${JSON.stringify(bill, null, 2)}\n`);
}

/** What is used of @n8n/scan-community-package, which has no types. */
interface Scanner {
	analyzePackage(folder: string, patterns: string[]): Promise<{ passed: boolean; message?: string; details?: string }>;
	SOURCE_FILE_PATTERNS: string[];
}
const SCANNER: string = '@n8n/scan-community-package/scanner/scanner.mjs';

/**
 * What n8n runs on a package that is submitted as a verified node, without its look-ups on the internet: the
 * scanner's rules on the sources and on what would be published. Prints what it finds.
 * @returns whether both passed
 */
export async function scan(tarball: string): Promise<boolean> {
	const folder = path.join(CACHE, 'gate');
	await rm(folder, { recursive: true, force: true });
	// The scanner makes a temporary folder as it is imported, and leaves it.
	process.env.TMPDIR = process.env.TEMP = process.env.TMP = path.join(folder, 'tmp');
	await mkdir(process.env.TMPDIR, { recursive: true });
	// With "test" in it, rules of eslint-plugin-n8n-nodes-base take every file for a trigger node's.
	delete process.env.NODE_ENV;
	const { analyzePackage, SOURCE_FILE_PATTERNS } = (await import(SCANNER)) as Scanner;

	// Not under a folder that ESLint ignores: it would find nothing to lint and be content.
	const published = path.join(folder, 'package');
	await unpackPackage(tarball, published);

	const scans = [
		{ what: 'the sources', root: ROOT, patterns: SOURCE_FILE_PATTERNS },
		{ what: 'the packed tarball', root: published, patterns: ['**/*.js', 'package.json'] },
	];
	let passed = true;
	for (const { what, root, patterns } of scans) {
		const result = await analyzePackage(root, patterns);
		console.log(`${result.passed ? '✓' : '✗'} gate on ${what}: ${result.passed ? 'no errors' : result.message}`);
		if (!result.passed) console.log(result.details ?? '');
		passed &&= result.passed;
	}
	return passed;
}
