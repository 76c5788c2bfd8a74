import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installEnvironment } from './environment.mjs';
import { installFailure, registryUnreachable } from './failure.mjs';
import { ROOT } from './paths.mjs';
import { killProcesses, npm, stopProcesses } from './processes.mjs';
import { silenceSteps, step } from './progress.mjs';
import { onEndAsked } from './watchdog.mjs';

let registryAnswered = false;

/** Installs the project's own (development) dependencies where node_modules is not what the lock says. */
export async function ensureProject() {
	if (isInstalled()) return;
	let isStopping = false;
	const stopListening = onEndAsked(async (signal) => {
		if (isStopping) return killProcesses();
		isStopping = true;
		silenceSteps();
		console.error('\nStopped before the end; run the command again to go on.');
		await stopProcesses();
		process.exit(128 + os.constants.signals[signal]);
	});
	await step("Installing the project's development tools (about 1 minute the first time)", async (report) => {
		await requireRegistry();
		// With NODE_ENV=production in the environment npm would leave the tools out.
		const result = await runNpm(['ci', '--include=dev', '--no-audit', '--no-fund'], 'npm-ci', report);
		// That it fails while it is being stopped is not news.
		if (isStopping) await new Promise(() => {});
		if (result.code !== 0) throw installFailure("the project's development tools", result);
	});
	stopListening();
}

/**
 * Asks the registry for a sign of life before a long install: npm's and pnpm's own retries would take
 * minutes to say that there is no network. A registry that answers, with whatever, is reachable.
 */
export async function requireRegistry() {
	if (registryAnswered) return;
	const { code, output } = await runNpm(['ping', '--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=15000'], 'registry');
	const problem = code === 0 ? undefined : registryUnreachable(output);
	if (problem) throw problem;
	registryAnswered = true;
}

/**
 * Runs npm in the folder of the clone.
 * @param {string[]} args
 * @param {string} log its name
 * @param {(line: string) => void} [report]
 */
const runNpm = async (args, log, report) => await npm(args, { log, cwd: ROOT, env: installEnvironment(), ...(report && { report }) });

/**
 * Whether node_modules holds what package-lock.json lists. npm writes node_modules/.package-lock.json last,
 * so an interrupted install has none; and it is right after a plain `npm install`, too.
 */
function isInstalled() {
	const wanted = packagesOf('package-lock.json');
	const present = packagesOf(path.join('node_modules', '.package-lock.json'));
	if (!wanted || !present) return false;
	return Object.entries(wanted).every(
		([name, { version, optional, devOptional }]) =>
			name === '' || present[name]?.version === version || (!present[name] && (optional || devOptional)),
	);
}

/**
 * @param {string} lock
 * @returns {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }> | undefined}
 */
function packagesOf(lock) {
	try {
		return JSON.parse(readFileSync(path.join(ROOT, lock), 'utf8')).packages;
	} catch {
		return undefined;
	}
}
