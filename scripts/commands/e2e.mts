import { rm } from 'node:fs/promises';
import path from 'node:path';
import { printFailure } from '../bootstrap/failure.mjs';
import { takeLock } from '../bootstrap/lock.mjs';
import { CACHE, formatPath } from '../bootstrap/paths.mjs';
import { runStep } from '../bootstrap/progress.mjs';
import { N8N_CHOICES, NEWEST, PINNED_VERSIONS } from '../install/n8nVersions.mts';
import { chooseRuntime, ensureRuntime } from '../install/runtime.mts';
import { buildTarball } from '../install/package.mts';
import { findSecretsInLog } from '../n8n/credentials.mts';
import { npmInstallIntoN8n, unpackIntoN8n } from '../n8n/home.mts';
import { fetchCookie, startServer } from '../n8n/server.mts';
import { findFreePort } from '../servers/ports.mts';
import { findChromium, requireServers } from '../servers/programs.mts';
import { createProgram, defineCommand, createListOption } from './command.mts';
import { printSummary, requireTestRun, type Result, runJest } from './jest.mts';

export const e2e = defineTests('e2e', 'e2e', "runs workflows through n8n's executor");
export const e2eBrowser = defineTests('e2e:browser', 'browser', "uses n8n's editor in Chromium", findChromium);
export const e2eQueue = defineTests('e2e:queue', 'queue', "runs n8n's queue mode", requireServers);

export const e2ePage = defineCommand(
	createProgram(
		'npm run e2e:page',
		'Starts the sandbox and uses its page in Chromium, as a person does. It needs no n8n.',
		'jest arguments',
	),
	async (_, { otherArgs }) => {
		requireTestRun(otherArgs);
		findChromium();
		const test = () => runSuite('page', otherArgs, { title: 'without n8n', resultName: 'page' });
		return await runSuites('npm run e2e:page', [{ name: 'page', test }]);
	},
);

/**
 * A command for tests that run in n8n.
 * @param folder in `test/`
 * @param summary for --help
 * @param checkPrograms checks that needed programs are installed, before anything else is
 */
function defineTests(script: string, folder: string, summary: string, checkPrograms?: () => unknown) {
	const name = `npm run ${script}`;
	return defineCommand(
		createProgram(
			name,
			`Installs n8n from its committed lock file, installs the packed package into it, and
${summary}, against the sandbox. Other arguments are passed to jest, such as -t 'killed twice'.`,
			'jest arguments',
		).addOption(
			createListOption(
				'--n8n <VERSION>',
				`only this version; repeatable. ${NEWEST}: the registry's latest, without a lock file`,
				N8N_CHOICES,
				PINNED_VERSIONS.join(' and '),
			),
		),
		async ({ n8n: versions }, { otherArgs }) => {
			requireTestRun(otherArgs);
			checkPrograms?.();
			const suites = [...new Set(versions.length > 0 ? versions : PINNED_VERSIONS)].map((version) => ({
				name: `${folder}-${version}`,
				test: (tarball: string) => testVersion(version, `${folder}-${version}`, tarball, folder, otherArgs),
			}));
			return await runSuites(name, suites, buildTarball);
		},
	);
}

/** name: of the home folder, the results and the logs, locked against other commands; tarball: of the package */
type Suite = { name: string; test: (tarball: string) => Promise<Result> };

/**
 * Runs tests and prints a summary.
 * @param build called once, so that all suites test the same package, whatever is saved meanwhile @returns the exit code
 */
async function runSuites(name: string, suites: Suite[], build = async (_folder: string) => ''): Promise<number> {
	const startedAt = Date.now();
	for (const suite of suites) await takeLock(name, suite.name);
	return printSummary(`Summary of ${name}`, await testEach(suites, await build(suites[0]!.name)), startedAt);
}

/** Runs all tests, one after another: what can't be started, or fails otherwise, is no reason to leave out the next one. */
export async function testEach(suites: Suite[], tarball = ''): Promise<Result[]> {
	const results: Result[] = [];
	for (const { name, test } of suites) {
		try {
			results.push(await test(tarball));
		} catch (error) {
			printFailure(error);
			results.push({ title: name, passed: false, summary: 'it could not be tried; the lines above say why' });
		}
	}
	return results;
}

/** Runs a suite in one version of n8n, in a new home folder. */
async function testVersion(version: string, name: string, tarball: string, folder: string, jestArguments: string[]) {
	const title = `n8n ${version}`;
	const home = path.join(CACHE, 'e2e', name);
	const n8n = { ...(await ensureRuntime(chooseRuntime(version))), home, settings: {} };
	await rm(home, { recursive: true, force: true });
	const env: NodeJS.ProcessEnv = { VOICE_ADMIN_N8N: JSON.stringify(n8n), VOICE_ADMIN_TARBALL: tarball };
	if (folder !== 'e2e') {
		await unpackIntoN8n(n8n, tarball);
		return await runSuite(folder, jestArguments, { title, resultName: name, env });
	}
	// With npm, as users do; the other suites unpack it, which is faster.
	await runStep('Installing the package from its tarball', () => npmInstallIntoN8n(n8n, tarball));
	// The tests share a server: starting one takes longer than most tests.
	const port = await findFreePort();
	const server = await runStep('Starting n8n', () => startServer(n8n, { port, log: `n8n-${name}` }));
	const runTests = async () => {
		const { url, log } = server;
		env.VOICE_ADMIN_N8N_SERVER = JSON.stringify({ url, log, cookie: await fetchCookie(server) });
		return await runSuite(folder, jestArguments, { title, resultName: name, env });
	};
	const result = await runTests().finally(async () => await server.stop());
	const secrets = await findSecretsInLog(server);
	if (secrets.length === 0) return result;
	const summary = `${result.summary}; n8n's log has ${secrets.join(' and ')}: ${formatPath(server.log)}`;
	return { ...result, passed: false, summary };
}

async function runSuite(folder: string, jestArguments: string[], options: Parameters<typeof runJest>[1]) {
	// --roots takes all arguments up to the next option.
	const args = ['--roots', `test/${folder}`, '--config', 'jest.e2e.config.js', '--rootDir', '.', ...jestArguments];
	// jest needs this experimental flag to load ES modules, such as the scripts.
	const NODE_OPTIONS = '--experimental-vm-modules --disable-warning=ExperimentalWarning';
	return await runJest(args, { ...options, env: { NODE_OPTIONS, ...options.env } });
}
