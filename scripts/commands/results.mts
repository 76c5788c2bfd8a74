import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { RESULTS, ROOT } from '../bootstrap/paths.mjs';
import { readable } from '../bootstrap/progress.mjs';
import { runEnvironment } from '../bootstrap/environment.mjs';
import { type Ended, runProcess, startLogged } from '../bootstrap/processes.mjs';

/** What became of a part of a run. summary: counts, or a reason */
export type Result = { title: string; passed: boolean; summary?: string };

/** title: of the result; results: the file's name; node: runs it in place of this Node */
type Run = { title: string; results: string; env?: NodeJS.ProcessEnv | undefined; node?: { bin: string } };

/** Runs jest with its own report on the screen, and its result as JSON in a file of {@link RESULTS}. */
export async function runJest(args: string[], { title, results, env, node }: Run): Promise<Result> {
	const file = path.join(RESULTS, `${results}.json`);
	await mkdir(RESULTS, { recursive: true });
	// A result that is there afterwards is this run's.
	await rm(file, { force: true });
	const jest = path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
	const code = await runProcess(node?.bin ?? process.execPath, [jest, '--json', `--outputFile=${file}`, ...args], {
		cwd: ROOT,
		env: { ...runEnvironment(), ...env },
		// With --json jest prints its report on stderr, and the result, which the file has, on stdout.
		stdout: 'ignore',
		stderr: 'inherit',
	});
	try {
		const result = JSON.parse(await readFile(file, 'utf8')) as Record<string, number>;
		const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites: broken } = result;
		const summary = `${numPassedTests} passed, ${numFailedTests} failed${broken ? `, ${broken} files that could not run` : ''}`;
		// A run in which every test was left out, by a name that none has, has shown nothing.
		return { title, passed: code === 0 && numPassedTests! + numFailedTests! > 0, summary };
	} catch {
		return { title, passed: false, summary: 'jest gave no result' };
	}
}

/** Runs a script of package.json to its end. */
export async function runScript(script: string): Promise<Ended> {
	return await startLogged('npm', ['run', '--silent', script], { log: `npm-run-${script.replace(':', '-')}`, cwd: ROOT, env: runEnvironment() }).ended;
}

/** Prints what became of the parts of a run. */
export function printSummary(title: string, results: Result[], started: number): void {
	console.log(`\n${title}`);
	for (const { title: part, passed, summary } of results) console.log(`  ${passed ? '✓' : '✗'} ${part}${summary ? `: ${summary}` : ''}`);
	console.log(`${results.every(({ passed }) => passed) ? 'All passed' : 'Something failed'} in ${readable(Date.now() - started)}.`);
}
