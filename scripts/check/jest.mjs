import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { startChild } from '../setup/children.mjs';
import { runEnvironment } from '../setup/environment.mjs';
import { RESULTS, ROOT } from '../setup/paths.mjs';

/**
 * Runs jest with its own report on the screen, and its result as JSON in a file of {@link RESULTS}.
 * @param {string[]} args
 * @param {{ results: string, env?: Record<string, string> }} options results: the file's name
 * @returns {Promise<{ passed: boolean, words: string }>}
 */
export async function runJest(args, { results, env }) {
	const file = path.join(RESULTS, `${results}.json`);
	await mkdir(RESULTS, { recursive: true });
	// A result that is there afterwards is this run's.
	await rm(file, { force: true });
	const jest = path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
	const child = startChild(process.execPath, [jest, '--json', `--outputFile=${file}`, ...args], {
		cwd: ROOT,
		env: { ...runEnvironment(), ...env },
		// With --json jest prints its report on stderr, and the result, which the file has, on stdout.
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	const code = await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', resolve);
	});
	const { words, ran } = await resultOf(file);
	return { passed: code === 0 && ran, words };
}

/** A run in which every test was left out, by a name that none has, has shown nothing. */
async function resultOf(file) {
	try {
		const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(await readFile(file, 'utf8'));
		const broken = numRuntimeErrorTestSuites > 0 ? `, ${numRuntimeErrorTestSuites} files that could not run` : '';
		return { ran: numPassedTests + numFailedTests > 0, words: `${numPassedTests} passed, ${numFailedTests} failed${broken}` };
	} catch {
		return { ran: false, words: 'jest gave no result' };
	}
}
