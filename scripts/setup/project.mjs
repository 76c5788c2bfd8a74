import { readFileSync } from 'node:fs';
import path from 'node:path';
import { installEnvironment } from './environment.mjs';
import { installFailure } from './install-failure.mjs';
import { npm } from './npm.mjs';
import { ROOT } from './paths.mjs';
import { step } from './progress.mjs';
import { requireRegistry } from './registry.mjs';

/** Installs the project's own (development) dependencies where node_modules is not what the lock says. */
export async function ensureProject() {
	if (isInstalled()) return;
	await step("Installing the project's development tools (about 1 minute the first time)", async (report) => {
		await requireRegistry();
		// With NODE_ENV=production in the environment npm would leave the tools out.
		const result = await npm(['ci', '--include=dev', '--no-audit', '--no-fund'], {
			log: 'npm-ci',
			cwd: ROOT,
			env: installEnvironment(),
			report,
		});
		if (result.code !== 0) throw installFailure("the project's development tools", result);
	});
}

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

function packagesOf(lock) {
	try {
		return JSON.parse(readFileSync(path.join(ROOT, lock), 'utf8')).packages;
	} catch {
		return undefined;
	}
}
