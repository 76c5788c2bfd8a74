import { stripVTControlCharacters } from 'node:util';
import { Failure, printFailure } from '../bootstrap/failure.mjs';
import { ROOT } from '../bootstrap/paths.mjs';
import { step } from '../bootstrap/progress.mjs';
import { ensureBuilt } from '../install/package.mts';
import { defineCommand } from '../lib/command.mts';
import { runEnvironment } from '../bootstrap/environment.mjs';
import { printSummary, type Result, runJest } from '../lib/jest.mts';
import { type Ended, npm } from '../bootstrap/processes.mjs';

/** Scripts of package.json that are checks. */
const CHECKS = [
	{ title: 'types', script: 'typecheck' },
	{ title: 'lint', script: 'lint' },
	{ title: 'gate for verified nodes', script: 'gate' },
	{ title: 'spelling and words', script: 'lint:prose' },
	{ title: 'OpenAPI document', script: 'lint:openapi' },
];

const SUMMARY = `Sets up what is needed and runs ${CHECKS.map(({ title }) => title).join(', ')}, and the tests.`;

export const test = testCommand({
	name: 'npm test',
	summary: `${SUMMARY}
With arguments only the tests, and jest gets the arguments: npm test -- test/executor -t 'Retry-After'`,
});

export const testFull = testCommand({
	name: 'npm run test:full',
	summary: `${SUMMARY}
Also the tests that take long, those of test/long, and ten times as many random cases.
With arguments only the tests, and jest gets the arguments: npm run test:full -- test/long/storm`,
	env: { VOICE_ADMIN_TEST_FULL: '1' },
});

function testCommand({ name, summary, env }: { name: string; summary: string; env?: NodeJS.ProcessEnv }) {
	return defineCommand({
		name,
		summary,
		othersFor: 'jest',
		async run(_, { others: jestArguments }) {
			const started = Date.now();
			const results = [await build()];
			if (jestArguments.length === 0) results.push(...(await runChecks()));
			// By Node's version: .ci/run runs the tests on three, and counts all.
			results.push(await runJest(jestArguments, { title: 'jest', results: `test-node-${parseInt(process.versions.node, 10)}`, env }));
			printSummary('Summary', results, started);
			return results.every(({ passed }) => passed) ? 0 : 1;
		},
	});
}

/** A build that fails is one failed check: the others, and jest, may have more to say. */
async function build(): Promise<Result> {
	try {
		await ensureBuilt();
		return { title: 'build', passed: true };
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		printFailure(error);
		return { title: 'build', passed: false };
	}
}

/** All at once, as each keeps one core busy. The output of a check is shown when it fails. */
async function runChecks(): Promise<Result[]> {
	const titles = CHECKS.map(({ title }) => title).join(', ');
	const ended = await step(`Checking ${titles}`, async () => await Promise.all(CHECKS.map(runCheck)), (checks) => checks.every(({ code }) => code === 0));
	for (const { code, output } of ended) if (code !== 0) console.log(`\n${stripVTControlCharacters(output).trim()}\n`);
	return ended.map(({ title, code }) => ({ title, passed: code === 0 }));
}

async function runCheck({ title, script }: (typeof CHECKS)[number]): Promise<Ended & { title: string }> {
	const log = `check-${script.replace(':', '-')}`;
	return { title, ...(await npm(['run', '--silent', script], { log, cwd: ROOT, env: runEnvironment() })) };
}
