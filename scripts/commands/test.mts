import { stripVTControlCharacters } from 'node:util';
import { ALL_LINES, linesOf, N8N_LINES } from '../install/n8nVersions.mts';
import { ensureLines } from '../install/runtime.mts';
import { ensureBuilt } from '../install/tarball.mts';
import { commandLine, defineCommand, repeatableOption } from './command.mts';
import { printSummary, type Result, runJest, runScript } from './results.mts';

/** The checks of npm test, as scripts of package.json. */
const CHECKS = [
	{ title: 'types', script: 'typecheck' },
	{ title: 'format', script: 'format:check' },
	{ title: 'lint', script: 'lint' },
	{ title: 'gate for verified nodes', script: 'gate' },
	{ title: 'spelling and words', script: 'lint:prose' },
	{ title: 'OpenAPI document', script: 'lint:openapi' },
];

const titlesOf = (checks: typeof CHECKS) => checks.map(({ title }) => title).join(', ');

const SUMMARY = `Installs what is needed, and runs the tests and the checks (${titlesOf(CHECKS)}).`;

const LINES_HELP =
	"only the tests, in this version's n8n-core; without other arguments, only test/executor. Repeatable";

export const test = defineCommand(
	commandLine(
		'npm test',
		`${SUMMARY}
npm run test:full includes the slow tests in test/long, and three times as many random cases.
With arguments, it runs only the tests and passes the arguments to jest: npm test -- test/executor -t 'Retry-After'`,
		'jest arguments',
	).addOption(
		repeatableOption('--n8n-line <VERSION>', LINES_HELP, [...N8N_LINES, ALL_LINES], 'n8n-core of package.json'),
	),
	async ({ n8nLine: lines }, { others: jestArguments }) => {
		const started = Date.now();
		await ensureBuilt();
		const checks = jestArguments.length === 0 ? CHECKS : [];
		const inLines = lines.length > 0;
		const results = await (inLines ? runInLines(linesOf(lines), jestArguments) : runHere(jestArguments, checks));
		printSummary('Summary', results, started);
		return results.every(({ passed }) => passed) ? 0 : 1;
	},
);

/** Runs the checks in parallel to the tests, which spend half of their time waiting (for timeouts, pauses, responses). */
async function runHere(jestArguments: string[], checks: typeof CHECKS): Promise<Result[]> {
	if (checks.length > 0) console.log(`Checking ${titlesOf(checks)} in parallel to the tests …`);
	const checking = Promise.all(checks.map(async ({ title, script }) => ({ title, ...(await runScript(script)) })));
	// A file for each version of Node: .ci/run runs the tests on three, and adds up the results.
	const tests = await runJest(jestArguments, {
		title: 'jest',
		results: `test${process.env.VOICE_ADMIN_TEST_FULL ? '-full' : ''}-node-${parseInt(process.versions.node, 10)}`,
	});
	const ended = await checking;
	for (const { code, output } of ended) if (code !== 0) console.log(`\n${stripVTControlCharacters(output).trim()}\n`);
	return [...ended.map(({ title, code }) => ({ title, passed: code === 0 })), tests];
}

/** Runs tests in n8n-core of other versions of n8n, one after another. */
async function runInLines(lines: string[], jestArguments: string[]): Promise<Result[]> {
	const node = await ensureLines();
	const results: Result[] = [];
	for (const line of lines) {
		console.log(`\nn8n ${line}`);
		const args = jestArguments.length > 0 ? jestArguments : ['test/executor'];
		results.push(
			await runJest(args, {
				title: `n8n ${line}`,
				results: `test-n8n-${line}`,
				env: { VOICE_ADMIN_N8N_LINE: line },
				node,
			}),
		);
	}
	return results;
}
