import { stripVTControlCharacters } from 'node:util';
import { N8N_CORE_VERSIONS } from '../install/n8nVersions.mts';
import { ensureN8nCores } from '../install/runtime.mts';
import { ensureBuilt } from '../install/package.mts';
import { createProgram, defineCommand, createListOption } from './command.mts';
import { printSummary, requireTestRun, type Result, runJest, runScript } from './jest.mts';

/** The checks of npm test, as scripts of package.json. */
const CHECKS = [
	{ title: 'types', script: 'typecheck' },
	{ title: 'format', script: 'format:check' },
	{ title: 'lint', script: 'lint' },
	{ title: 'gate for verified nodes', script: 'gate' },
	{ title: 'spelling and words', script: 'lint:prose' },
	{ title: 'OpenAPI document', script: 'lint:openapi' },
];

const listTitles = (checks: typeof CHECKS) => checks.map(({ title }) => title).join(', ');

const SUMMARY = `Installs what is needed, and runs the tests and the checks (${listTitles(CHECKS)}).`;

/** The value of --n8n-core for all of them. */
const ALL_CORES = 'all';
const N8N_CORE_HELP =
	"only the tests, in this version's n8n-core; without other arguments, only test/executor. Repeatable";

export const test = defineCommand(
	createProgram(
		'npm test',
		`${SUMMARY}
npm run test:full includes the slow tests in test/long, and three times as many random cases.
With arguments, it runs only the tests and passes the arguments to jest: npm test -- test/executor -t 'Retry-After'`,
		'jest arguments',
	).addOption(
		createListOption('--n8n-core <VERSION>', N8N_CORE_HELP, [...N8N_CORE_VERSIONS, ALL_CORES], 'that of package.json'),
	),
	async ({ n8nCore }, { otherArgs: jestArguments }) => {
		requireTestRun(jestArguments);
		const startedAt = Date.now();
		await ensureBuilt();
		const checks = jestArguments.length === 0 ? CHECKS : [];
		const versions = n8nCore.includes(ALL_CORES) ? N8N_CORE_VERSIONS : n8nCore;
		const run = versions.length > 0 ? runInN8nCores(versions, jestArguments) : runTests(jestArguments, checks);
		return printSummary('Summary', await run, startedAt);
	},
);

/** Runs the checks in parallel to the tests, which spend half of their time waiting (for timeouts, pauses, responses). */
async function runTests(jestArguments: string[], checks: typeof CHECKS): Promise<Result[]> {
	if (checks.length > 0) console.log(`Checking ${listTitles(checks)} in parallel to the tests …`);
	const checkRuns = Promise.all(checks.map(async ({ title, script }) => ({ title, ...(await runScript(script)) })));
	// A file for each version of Node: .ci/run runs the tests on three, and adds up the results.
	const tests = await runJest(jestArguments, {
		title: 'jest',
		resultName: `test${process.env.VOICE_ADMIN_TEST_FULL ? '-full' : ''}-node-${parseInt(process.versions.node, 10)}`,
	});
	const outcomes = await checkRuns;
	for (const { code, output } of outcomes)
		if (code !== 0) console.log(`\n${stripVTControlCharacters(output).trim()}\n`);
	return [...outcomes.map(({ title, code }) => ({ title, passed: code === 0 })), tests];
}

/** Runs tests in n8n-core of other versions of n8n, one after another. */
async function runInN8nCores(versions: string[], jestArguments: string[]): Promise<Result[]> {
	const node = await ensureN8nCores();
	const results: Result[] = [];
	for (const version of versions) {
		console.log(`\nn8n ${version}`);
		const args = jestArguments.length > 0 ? jestArguments : ['test/executor'];
		const env = { VOICE_ADMIN_N8N_CORE: version };
		results.push(await runJest(args, { title: `n8n ${version}`, resultName: `test-n8n-${version}`, env, node }));
	}
	return results;
}
