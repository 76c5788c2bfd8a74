import { rm } from 'node:fs/promises';
import path from 'node:path';
import { runJest } from '../check/jest.mjs';
import { requireToBeTheOnlyOne } from '../setup/only-one.mjs';
import { n8nAt } from '../n8n/home.mjs';
import { installPackage } from '../n8n/install-package.mjs';
import { ensureBuilt } from '../setup/build.mjs';
import { Failure, printFailure } from '../setup/failure.mjs';
import { runToTheEnd } from '../setup/lifetime.mjs';
import { CACHE } from '../setup/paths.mjs';
import { readable, step } from '../setup/progress.mjs';
import { ensureProject } from '../setup/project.mjs';
import { chooseRuntime } from '../setup/runtime.mjs';
import { installN8n, N8nFailure, tryN8nAlone } from './n8n-alone.mjs';
import { ALL, help, readOptions } from './options.mjs';
import { SUITES } from './suites.mjs';

const N8N_FAILED = 2;

await runToTheEnd(async () => {
	const [name, ...args] = process.argv.slice(2);
	const suite = SUITES[name];
	const options = readOptions(suite.script, args);
	if (options.help) {
		console.log(help(suite));
		return 0;
	}
	if (suite.withoutN8n && options.versions.length > 0) throw new Failure(`npm run ${suite.script} needs no n8n, and so takes no --n8n.`);
	const started = Date.now();
	const versions = options.versions.length > 0 ? options.versions : ALL;
	const choices = suite.withoutN8n ? [] : versions.map((version) => chooseRuntime(version));
	await suite.requires?.();
	requireToBeTheOnlyOne(`npm run ${suite.script}`, path.join(CACHE, 'e2e', `${name}.json`));
	await ensureProject();
	await ensureBuilt();

	const results = suite.withoutN8n ? [{ title: 'without n8n', ...(await test(name, { results: name, jestArguments: options.jestArguments })) }] : [];
	for (const choice of choices) {
		const title = `n8n ${choice.version}`;
		try {
			results.push({ title, ...(await testIn(choice, name, options.jestArguments)) });
		} catch (error) {
			if (!(error instanceof N8nFailure)) throw error;
			printFailure(error);
			results.push({ title, passed: false, code: N8N_FAILED, words: 'n8n itself failed; the package was not tried' });
		}
	}
	console.log(`\nSummary of npm run ${suite.script}`);
	for (const { title, passed, words } of results) console.log(`  ${passed ? '✓' : '✗'} ${title}: ${words}`);
	console.log(`It took ${readable(Date.now() - started)}.`);
	const failures = results.filter(({ passed }) => !passed).map(({ code = 1 }) => code);
	// A test that failed is news, whatever became of another version of n8n.
	return failures.length > 0 ? Math.min(...failures) : 0;
});

/** The tests of one suite in one version of n8n, in a home of their own that is made anew. */
async function testIn(choice, suite, jestArguments) {
	const installed = await installN8n(choice);
	const n8n = n8nAt(installed, path.join(CACHE, 'e2e', `${suite}-${installed.version}`));
	await rm(n8n.home, { recursive: true, force: true });
	await tryN8nAlone(n8n);
	await step('Installing the package from its tarball', () => installPackage(n8n));
	return await test(suite, { results: `${suite}-${installed.version}`, jestArguments, env: { VOICE_ADMIN_N8N: JSON.stringify(n8n) } });
}

async function test(suite, { results, jestArguments, env }) {
	return await runJest(['--config', 'jest.e2e.config.js', '--rootDir', '.', '--roots', `test/${suite}`, '--runInBand', ...jestArguments], {
		results,
		// Jest loads ES modules, which the scripts are, by a part of Node that still is behind this switch.
		env: { NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning', ...env },
	});
}
