import { ensureBuilt } from '../setup/build.mjs';
import { Failure, printFailure } from '../setup/failure.mjs';
import { runToTheEnd } from '../setup/lifetime.mjs';
import { readable } from '../setup/progress.mjs';
import { ensureProject } from '../setup/project.mjs';
import { runJest } from './jest.mjs';
import { runScript } from './script.mjs';

const CHECKS = [
	{ title: 'types', script: 'typecheck' },
	{ title: 'lint', script: 'lint' },
	{ title: 'gate for verified nodes', script: 'gate' },
	{ title: 'OpenAPI document', script: 'lint:openapi' },
];

const HELP = `npm test [-- arguments of jest]

Sets up what is needed and runs ${CHECKS.map(({ title }) => title).join(', ')}, and the tests.
With arguments only the tests, and jest gets the arguments: npm test -- test/unit`;

await runToTheEnd(async () => {
	const jestArguments = process.argv.slice(2);
	if (jestArguments.some((arg) => arg === '--help' || arg === '-h')) {
		console.log(HELP);
		return;
	}
	const started = Date.now();
	await ensureProject();
	const results = [await build()];
	if (jestArguments.length === 0) {
		for (const { title, script } of CHECKS) results.push({ title, ...(await runScript(title, script)) });
	}
	// By Node's version: .ci/run runs the tests on two, and counts both.
	const jest = await runJest(jestArguments, { results: `test-node-${parseInt(process.versions.node, 10)}` });
	results.push({ title: 'jest', ...jest });

	console.log('\nSummary');
	for (const { title, passed, words } of results) console.log(`  ${passed ? '✓' : '✗'} ${title}${words ? `: ${words}` : ''}`);
	const passed = results.every((result) => result.passed);
	console.log(`${passed ? 'All passed' : 'Something failed'} in ${readable(Date.now() - started)}.`);
	return passed ? 0 : 1;
});

/** A build that fails is one failed check: the others, and jest, may have more to say. */
async function build() {
	try {
		await ensureBuilt();
		return { title: 'build', passed: true };
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		printFailure(error);
		return { title: 'build', passed: false };
	}
}
