import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { CACHE } from './paths.mjs';

/**
 * The environment of npm and pnpm: caches and temporary files go into the clone's `.cache`. HOME stays the user's, whose
 * `.npmrc` may set a registry mirror or a proxy. @type {() => NodeJS.ProcessEnv}
 */
export function createInstallEnv() {
	const temporaryFolder = path.join(CACHE, 'tmp');
	mkdirSync(temporaryFolder, { recursive: true });
	return {
		...process.env,
		TMPDIR: temporaryFolder,
		XDG_CACHE_HOME: path.join(CACHE, 'xdg', 'cache'),
		XDG_CONFIG_HOME: path.join(CACHE, 'xdg', 'config'),
		XDG_DATA_HOME: path.join(CACHE, 'xdg', 'data'),
		XDG_STATE_HOME: path.join(CACHE, 'xdg', 'state'),
		PNPM_HOME: path.join(CACHE, 'pnpm', 'home'),
		npm_config_cache: path.join(CACHE, 'npm'),
		npm_config_update_notifier: 'false',
		// What they print is only shown when they fail, and `npm run --silent` would silence them too.
		npm_config_loglevel: 'notice',
		// Without a network, npm fails after seconds and not after minutes.
		npm_config_fetch_retry_mintimeout: '1000',
	};
}

/** The environment of all other programs, whose HOME is in `.cache` too. @type {() => NodeJS.ProcessEnv} */
export function createRunEnv() {
	const home = path.join(CACHE, 'home');
	mkdirSync(home, { recursive: true });
	return {
		...createInstallEnv(),
		HOME: home,
		// redocly, the OpenAPI linter, would send telemetry and check for updates.
		REDOCLY_TELEMETRY: 'off',
		REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
	};
}

/** Puts a Node first on the PATH. @type {(environment: NodeJS.ProcessEnv, node: { bin: string }) => NodeJS.ProcessEnv} */
export const putNodeOnPath = (environment, { bin }) => ({
	...environment,
	PATH: `${path.dirname(bin)}:${environment.PATH}`,
});
