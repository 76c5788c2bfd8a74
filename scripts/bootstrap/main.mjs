import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInstallEnv } from './environment.mjs';
import { toInstallFailure } from './failure.mjs';
import { withLock } from './lock.mjs';
import { ROOT } from './paths.mjs';
import { runNpm } from './processes.mjs';
import { runStep } from './progress.mjs';
import { runToEnd } from './runToEnd.mjs';

/**
 * The commands, by their scripts in package.json; imported on demand, as some import a lot.
 * @type {Record<string, () => Promise<import('../commands/command.mts').Command>>}
 */
const COMMANDS = {
	start: async () => (await import('../commands/start.mts')).start,
	test: async () => (await import('../commands/test.mts')).test,
	sandbox: async () => (await import('../commands/sandbox.mts')).sandbox,
	e2e: async () => (await import('../commands/e2e.mts')).e2e,
	'e2e:browser': async () => (await import('../commands/e2e.mts')).e2eBrowser,
	'e2e:page': async () => (await import('../commands/e2e.mts')).e2ePage,
	'e2e:queue': async () => (await import('../commands/e2e.mts')).e2eQueue,
	simulate: async () => (await import('../../simulation/command.mts')).simulate,
	bench: async () => (await import('../../bench/run.mts')).bench,
	gate: async () => (await import('../commands/release.mts')).gate,
	'release:check': async () => (await import('../commands/release.mts')).releaseCheck,
	'release:build': async () => (await import('../commands/release.mts')).releaseBuild,
	operation: async () => (await import('../commands/operation.mts')).operation,
};

await runToEnd(async (expectStop) => {
	const [script = '', ...args] = process.argv.slice(2);
	const loadCommand = COMMANDS[script];
	if (!loadCommand) throw new Error(`There is no command ${script}: ${Object.keys(COMMANDS).join(', ')}`);
	// ensureProject checks again under the lock: another command may have installed it meanwhile.
	if (!process.env.VOICE_ADMIN_NO_INSTALL && !isInstalled()) await withLock('npm ci', ensureProject);
	// Lets Node import TypeScript. tsx reads TMPDIR, where it caches, once, when it is imported: it is in the clone until then.
	const { TMPDIR = os.tmpdir() } = process.env;
	process.env.TMPDIR = createInstallEnv().TMPDIR;
	// @ts-expect-error it has no types
	await import('tsx');
	process.env.TMPDIR = TMPDIR;
	const { runCommand } = await import('../commands/command.mts');
	return await runCommand(await loadCommand(), args, expectStop);
});

/** Installs the project's development dependencies, unless node_modules matches the lock file. */
async function ensureProject() {
	if (isInstalled()) return;
	await runStep("Installing the project's development tools (about 1 minute the first time)", async () => {
		// With NODE_ENV=production, npm would omit them.
		const args = ['ci', '--include=dev', '--no-audit', '--no-fund'];
		await runNpm(args, { log: 'npm-ci' }, (result) => toInstallFailure("the project's development tools", result));
	});
}

/**
 * Whether node_modules matches package-lock.json. npm writes node_modules/.package-lock.json last, so it is missing after an
 * interrupted install, and right after a plain `npm install` too.
 */
function isInstalled() {
	/** @type {(lock: string) => Record<string, { version?: string, optional?: boolean, devOptional?: boolean }>} */
	const packagesOf = (lock) => JSON.parse(readFileSync(path.join(ROOT, lock), 'utf8')).packages;
	try {
		const installedPackages = packagesOf(path.join('node_modules', '.package-lock.json'));
		return Object.entries(packagesOf('package-lock.json')).every(
			([name, { version, optional, devOptional }]) =>
				name === '' ||
				installedPackages[name]?.version === version ||
				(!installedPackages[name] && (optional || devOptional)),
		);
	} catch {
		return false;
	}
}
