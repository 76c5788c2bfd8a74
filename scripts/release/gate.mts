import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { CACHE, ROOT } from '../bootstrap/paths.mjs';
import { unpackPackage } from '../install/tarball.mts';

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
