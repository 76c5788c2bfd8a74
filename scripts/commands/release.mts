import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { CACHE, formatPath, ROOT } from '../bootstrap/paths.mjs';
import { withTemporaryFolder } from '../bootstrap/temporaryFolder.mjs';
import { buildTarball, unpackPackage } from '../install/package.mts';
import { type Manifest, findReleaseProblems, sectionOf } from '../release/problems.mts';
import { findTextProblems } from '../release/textProblems.mts';
import { createProgram, defineCommand } from './command.mts';

const RELEASE_FOLDER = path.join(CACHE, 'release');

export const releaseCheck = defineCommand(
	createProgram(
		'npm run release:check',
		`Checks whether the package in this folder can be published: version, changelog, owner, and what the documents say of
its state. The tests and the gate are other commands: npm test, npm run release:build.`,
	)
		.option('--tag <NAME>', 'the tag of the release, such as v0.1.0; must match the version')
		.option('--repository <NAME>', 'owner/name on GitHub of the publisher; must match package.json'),
	async ({ tag, repository }) => {
		// From the working directory, which npm sets to the clone: the tests check packages in other folders.
		const manifest = JSON.parse(await readText('package.json')) as Manifest;
		const problems = [
			...findReleaseProblems({ manifest, changelog: await readText('CHANGELOG.md'), tag, repository }),
			...findTextProblems('.'),
		];
		for (const problem of problems) console.error(`✗ ${problem}`);
		if (problems.length > 0) return 1;
		console.log(`✓ ${manifest.name} ${manifest.version} can be published.`);
	},
);

export const releaseBuild = defineCommand(
	createProgram(
		'npm run release:build',
		`Builds the files of a release in .cache/release: the tarball to publish, the release notes (the version's section of
CHANGELOG.md), and the SHA-256 checksums. n8n's gate for verified nodes is another command, npm run gate: its code doesn't
get near these files.`,
	),
	async () => {
		await rm(RELEASE_FOLDER, { recursive: true, force: true });
		const { version } = JSON.parse(await readText(path.join(ROOT, 'package.json'))) as Manifest;
		const notes = sectionOf(await readText(path.join(ROOT, 'CHANGELOG.md')), version)?.text;
		if (!notes)
			throw new Failure(`CHANGELOG.md says nothing about ${version}: npm run release:check says what is missing.`);
		const tarball = await buildTarball(RELEASE_FOLDER);
		const notesFile = path.join(RELEASE_FOLDER, 'NOTES.md');
		await writeFile(notesFile, `${notes}\n`);
		const checksums = (await Promise.all([tarball, notesFile].map(checksumLineOf))).join('');
		await writeFile(path.join(RELEASE_FOLDER, 'SHA256SUMS'), checksums);
		console.log(`✓ ${formatPath(RELEASE_FOLDER)}\n${checksums}`);
	},
);

export const gate = defineCommand(
	createProgram('npm run gate', "Runs n8n's gate for verified nodes on the sources and on the packed package."),
	async () => ((await scanPackage(await buildTarball('gate'))) ? 0 : 1),
);

const readText = async (file: string) => await readFile(file, 'utf8');

/** A line for `sha256sum --check`. */
async function checksumLineOf(file: string): Promise<string> {
	return `${createHash('sha256')
		.update(await readFile(file))
		.digest('hex')}  ${path.basename(file)}\n`;
}

/**
 * Runs the checks that n8n runs on a submitted verified node, except its look-ups on the internet: the scanner's rules on the
 * sources and on the packed package. Prints the problems.
 * @returns whether both passed
 */
export async function scanPackage(tarball: string): Promise<boolean> {
	// Of its own: another gate may run in this clone, as in npm run test:full.
	return await withTemporaryFolder(path.join(CACHE, 'gate-'), async (folder) => {
		// If it is "test", rules of eslint-plugin-n8n-nodes-base treat every file as a trigger node.
		delete process.env.NODE_ENV;
		const { analyzePackage, SOURCE_FILE_PATTERNS } = await import('../release/scanner.mjs');

		// Not in a folder that ESLint ignores: it would lint nothing, and pass.
		const packageFolder = path.join(folder, 'package');
		await unpackPackage(tarball, packageFolder);

		let hasPassed = true;
		const scan = async (title: string, root: string, patterns: string[]) => {
			const result = await analyzePackage(root, patterns);
			console.log(`${result.passed ? '✓' : '✗'} gate on ${title}: ${result.passed ? 'no errors' : result.message}`);
			if (!result.passed) console.log(result.details ?? '');
			hasPassed &&= result.passed;
		};
		await scan('the sources', ROOT, SOURCE_FILE_PATTERNS);
		await scan('the packed tarball', packageFolder, ['**/*.js', 'package.json']);
		return hasPassed;
	});
}
