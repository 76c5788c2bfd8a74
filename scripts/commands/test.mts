import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../bootstrap/paths.mjs';
import { ALL_LINES, linesOf, N8N_LINES } from '../install/n8nVersions.mts';
import { ensureLines } from '../install/runtime.mts';
import { ensureBuilt } from '../install/tarball.mts';
import { commandLine, defineCommand, repeatable } from './command.mts';
import { runEnvironment, withNodeFirst } from '../bootstrap/environment.mjs';
import { runProcess } from '../bootstrap/processes.mjs';
import { fastestNode } from '../install/nodeRuntime.mts';
import { printSummary, type Result, runJest, runScript } from './results.mts';

/** Scripts of package.json that are checks. */
export const CHECKS = [
	{ title: 'types', script: 'typecheck' },
	{ title: 'lint', script: 'lint' },
	{ title: 'gate for verified nodes', script: 'gate' },
	{ title: 'spelling and words', script: 'lint:prose' },
	{ title: 'OpenAPI document', script: 'lint:openapi' },
];

const titlesOf = (checks: typeof CHECKS) => checks.map(({ title }) => title).join(', ');

const SUMMARY = `Sets up what is needed and runs ${titlesOf(CHECKS)}, and the tests.`;

export const test = testCommand('npm test', `${SUMMARY}
With arguments only the tests, and jest gets the arguments: npm test -- test/executor -t 'Retry-After'`);

export const testFull = testCommand('npm run test:full', `${SUMMARY}
Also the tests that take long, those of test/long, and three times as many random cases.
With arguments only the tests, and jest gets the arguments: npm run test:full -- test/long/memory`, { VOICE_ADMIN_TEST_FULL: '1' });

export const mutation = defineCommand(
	commandLine('npm run mutation', `Changes the node's sources in small ways, one at a time, and runs the unit tests and those in n8n's executor: of each
change some test should fail. It takes hours (half an hour for a folder, on two cores), and keeps its results in
.cache/mutation when it has ended, so that the next run tries what has changed since.`, 'stryker')
		.addHelpText('after', `
Anything else goes to StrykerJS, such as --mutate nodes/VoiceAdmin/trigger/poll.ts or --force.
Exit code: 0 at least 85 % of the changes were noticed; 1 fewer were, or a test fails without any.`),
	async (_, { others }) => {
		// On Node 20 each test file leaves the next ones slower: its AsyncLocalStorage costs something for every promise, for good.
		const node = await fastestNode();
		const stryker = path.join(ROOT, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
		const options = { cwd: ROOT, env: withNodeFirst(runEnvironment(), node), stdout: 'inherit', stderr: 'inherit' } as const;
		return (await runProcess(node.bin, [stryker, 'run', 'test/mutation/stryker.config.json', ...others], options)) ?? 1;
	},
);

function testCommand(name: string, summary: string, env?: NodeJS.ProcessEnv) {
	const help = 'only the tests, in n8n-core of this n8n; those of test/executor without arguments. May be repeated';
	const line = commandLine(name, summary, 'jest').addOption(repeatable('--n8n-line <VERSION>', help, [...N8N_LINES, ALL_LINES], 'all tests, in n8n-core of package.json'));
	return defineCommand(line, async ({ n8nLine: lines }, { others: jestArguments }) => {
		const started = Date.now();
		await ensureBuilt();
		const checks = jestArguments.length === 0 ? CHECKS : [];
		const results = lines.length > 0 ? await runInLines(linesOf(lines), jestArguments, env) : await runHere(jestArguments, checks, env);
		printSummary('Summary', results, started);
		return results.every(({ passed }) => passed) ? 0 : 1;
	});
}

/** Checks beside the tests: these wait half of the time, for time limits, pauses and replies. */
export async function runHere(jestArguments: string[], checks: typeof CHECKS, env?: NodeJS.ProcessEnv): Promise<Result[]> {
	if (checks.length > 0) console.log(`Checking ${titlesOf(checks)}, beside the tests …`);
	const checking = Promise.all(checks.map(async ({ title, script }) => ({ title, ...(await runScript(script)) })));
	// By Node's version, and apart: .ci/run runs the tests on three, and counts all.
	const tests = await runJest(jestArguments, { title: 'jest', results: `test${env ? '-full' : ''}-node-${parseInt(process.versions.node, 10)}`, env });
	const ended = await checking;
	for (const { code, output } of ended) if (code !== 0) console.log(`\n${stripVTControlCharacters(output).trim()}\n`);
	return [...ended.map(({ title, code }) => ({ title, passed: code === 0 })), tests];
}

/** The tests in n8n-core of other versions of n8n, one after the other. */
async function runInLines(lines: string[], jestArguments: string[], env?: NodeJS.ProcessEnv): Promise<Result[]> {
	const node = await ensureLines();
	const results: Result[] = [];
	for (const line of lines) {
		console.log(`\nn8n ${line}`);
		const inLine = { ...env, VOICE_ADMIN_N8N_LINE: line };
		const args = jestArguments.length > 0 ? jestArguments : ['test/executor'];
		results.push(await runJest(args, { title: `n8n ${line}`, results: `test-n8n-${line}`, env: inLine, node }));
	}
	return results;
}
