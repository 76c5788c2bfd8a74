import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { startChild } from '../setup/children.mjs';
import { runEnvironment } from '../setup/environment.mjs';
import { JEST_RESULTS, ROOT } from '../setup/paths.mjs';

/**
 * Runs jest with its own report on the screen, and its result as JSON beside it.
 * @param {string[]} args
 * @returns {Promise<{ passed: boolean, words: string }>}
 */
export async function runJest(args) {
	await mkdir(path.dirname(JEST_RESULTS), { recursive: true });
	// A result that is there afterwards is this run's.
	await rm(JEST_RESULTS, { force: true });
	const jest = path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
	const child = startChild(process.execPath, [jest, '--json', `--outputFile=${JEST_RESULTS}`, ...args], {
		cwd: ROOT,
		env: runEnvironment(),
		// With --json jest prints its report on stderr, and the result, which the file has, on stdout.
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	const code = await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', resolve);
	});
	return { passed: code === 0, words: await resultInWords() };
}

async function resultInWords() {
	try {
		const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(await readFile(JEST_RESULTS, 'utf8'));
		const broken = numRuntimeErrorTestSuites > 0 ? `, ${numRuntimeErrorTestSuites} files that could not run` : '';
		return `${numPassedTests} passed, ${numFailedTests} failed${broken}`;
	} catch {
		return 'jest gave no result';
	}
}
