import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../bootstrap/paths.mjs';
import { ALL_LINES, linesOf, N8N_LINES } from '../install/n8nVersions.mts';
import { ensureLines } from '../install/runtime.mts';
import { ensureBuilt } from '../install/tarball.mts';
import { defineCommand } from './command.mts';
import { runEnvironment } from '../bootstrap/environment.mjs';
import { printSummary, type Result, runJest } from './jest.mts';
import { type Ended, runLogged } from '../bootstrap/processes.mjs';

/** Scripts of package.json that are checks. */
const CHECKS = [
	{ title: 'types', script: 'typecheck' },
	{ title: 'lint', script: 'lint' },
	{ title: 'gate for verified nodes', script: 'gate' },
	{ title: 'spelling and words', script: 'lint:prose' },
	{ title: 'OpenAPI document', script: 'lint:openapi' },
];

const titlesOf = (checks: typeof CHECKS) => checks.map(({ title }) => title).join(', ');

const SUMMARY = `Sets up what is needed and runs ${titlesOf(CHECKS)}, and the tests.`;

export const test = testCommand({
	name: 'npm test',
	summary: `${SUMMARY}
With arguments only the tests, and jest gets the arguments: npm test -- test/executor -t 'Retry-After'`,
});

export const testFull = testCommand({
	name: 'npm run test:full',
	summary: `${SUMMARY}
Also the tests that take long, those of test/long, and three times as many random cases.
With arguments only the tests, and jest gets the arguments: npm run test:full -- test/long/storm`,
	env: { VOICE_ADMIN_TEST_FULL: '1' },
});

function testCommand({ name, summary, env }: { name: string; summary: string; env?: NodeJS.ProcessEnv }) {
	return defineCommand({
		name,
		summary,
		options: {
			'n8n-line': {
				type: 'string',
				value: 'VERSION',
				multiple: true,
				choices: [...N8N_LINES, ALL_LINES],
				help:
					`only the tests, in n8n-core of this n8n: ${N8N_LINES.join(', ')}, or ${ALL_LINES}; ` +
					'those of test/executor without arguments',
			},
		},
		othersFor: 'jest',
		async run({ 'n8n-line': lines }, { others: jestArguments }) {
			const started = Date.now();
			await ensureBuilt();
			const results = lines.length > 0 ? await runInLines(linesOf(lines), jestArguments, env) : await runHere(jestArguments, env);
			printSummary('Summary', results, started);
			return results.every(({ passed }) => passed) ? 0 : 1;
		},
	});
}

/** The checks, without arguments, beside the tests: these wait half of the time, for time limits, pauses and replies. */
async function runHere(jestArguments: string[], env?: NodeJS.ProcessEnv): Promise<Result[]> {
	const checks = jestArguments.length === 0 ? CHECKS : [];
	if (checks.length > 0) console.log(`Checking ${titlesOf(checks)}, beside the tests …`);
	const checking = Promise.all(checks.map(async ({ title, script }) => ({ title, ...(await runScript(script)) })));
	// By Node's version: .ci/run runs the tests on three, and counts all.
	const tests = await runJest(jestArguments, { title: 'jest', results: `test-node-${parseInt(process.versions.node, 10)}`, env });
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

/** Runs a script of package.json to its end. */
export async function runScript(script: string, args: string[] = []): Promise<Ended> {
	const options = { log: `check-${script.replace(':', '-')}`, cwd: ROOT, env: runEnvironment() };
	return await runLogged('npm', ['run', '--silent', script, ...args], options);
}
