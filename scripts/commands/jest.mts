import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { RESULTS, ROOT } from '../bootstrap/paths.mjs';
import { formatDuration } from '../bootstrap/progress.mjs';
import { createRunEnv } from '../bootstrap/environment.mjs';
import { type ProcessResult, runProcess, startWithLog } from '../bootstrap/processes.mjs';

/** The result of a check or of a run of jest. summary: counts, or why there are none */
export type Result = { title: string; passed: boolean; summary?: string };

/** title: of the result; resultName: of the result file, without .json; node: default the running Node */
type JestRun = { title: string; resultName: string; env?: NodeJS.ProcessEnv | undefined; node?: { bin: string } };

/** Refuses arguments with which jest runs no tests, or waits for keys: it has no terminal here. @throws {Failure} */
export function requireTestRun(jestArguments: string[]): void {
	const flag = jestArguments.find((each) =>
		/^--(watch|watchAll|watch-all|listTests|list-tests|showConfig|init|clearCache)(=true)?$/.test(each),
	);
	if (flag) throw new Failure(`${flag} is not for a run of tests that ends in a summary. Try npx jest ${flag}`);
}

/** Runs jest with its report on the terminal, and its result as JSON in {@link RESULTS}. */
export async function runJest(args: string[], { title, resultName, env, node }: JestRun): Promise<Result> {
	const file = path.join(RESULTS, `${resultName}.json`);
	await mkdir(RESULTS, { recursive: true });
	// So that a file that exists afterwards is from this run.
	await rm(file, { force: true });
	const jest = path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
	const code = await runProcess(node?.bin ?? process.execPath, [jest, '--json', `--outputFile=${file}`, ...args], {
		cwd: ROOT,
		env: { ...createRunEnv(), ...env },
		// With --json, jest prints its report on stderr, and on stdout what it also writes to the file.
		stdout: 'ignore',
		stderr: 'inherit',
	});
	try {
		const result = JSON.parse(await readFile(file, 'utf8')) as Record<string, number>;
		const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites: brokenFiles } = result;
		const summary = `${numPassedTests} passed, ${numFailedTests} failed${brokenFiles ? `, ${brokenFiles} files could not run` : ''}`;
		// Fails if no test ran, e.g. because -t matched none.
		return { title, passed: code === 0 && numPassedTests! + numFailedTests! > 0, summary };
	} catch {
		return { title, passed: false, summary: 'jest wrote no result' };
	}
}

/** Runs a script of package.json, with its output in a log. */
export async function runScript(script: string): Promise<ProcessResult> {
	return await startWithLog('npm', ['run', '--silent', script], {
		log: `npm-run-${script.replace(':', '-')}`,
		cwd: ROOT,
		env: createRunEnv(),
	}).exit;
}

/** @returns the exit code */
export function printSummary(title: string, results: Result[], startedAt: number): number {
	const hasPassed = results.every(({ passed }) => passed);
	console.log(`\n${title}`);
	for (const { title: name, passed, summary } of results)
		console.log(`  ${passed ? '✓' : '✗'} ${name}${summary ? `: ${summary}` : ''}`);
	console.log(`${hasPassed ? 'All passed' : 'Something failed'} in ${formatDuration(Date.now() - startedAt)}.`);
	return hasPassed ? 0 : 1;
}
