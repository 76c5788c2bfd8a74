import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { CACHE } from './paths.mjs';

/**
 * For npm and pnpm: whatever tools keep, unless told otherwise, goes into the clone's `.cache`. HOME stays the user's own:
 * their `.npmrc` may name the mirror or the proxy that they need. @type {() => NodeJS.ProcessEnv}
 */
export function installEnvironment() {
	const temporary = path.join(CACHE, 'tmp');
	mkdirSync(temporary, { recursive: true });
	return {
		...process.env,
		TMPDIR: temporary,
		XDG_CACHE_HOME: path.join(CACHE, 'xdg', 'cache'),
		XDG_CONFIG_HOME: path.join(CACHE, 'xdg', 'config'),
		XDG_DATA_HOME: path.join(CACHE, 'xdg', 'data'),
		XDG_STATE_HOME: path.join(CACHE, 'xdg', 'state'),
		PNPM_HOME: path.join(CACHE, 'pnpm', 'home'),
		npm_config_cache: path.join(CACHE, 'npm'),
		npm_config_update_notifier: 'false',
		// Where there is no network, it is said after seconds and not after minutes.
		npm_config_fetch_retry_mintimeout: '1000',
	};
}

/** For everything that is not a package manager: these have no business in the user's home at all. @type {() => NodeJS.ProcessEnv} */
export function runEnvironment() {
	const home = path.join(CACHE, 'home');
	mkdirSync(home, { recursive: true });
	return {
		...installEnvironment(),
		HOME: home,
		// redocly, the linter of the OpenAPI document, would ask and tell the internet.
		REDOCLY_TELEMETRY: 'off',
		REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
	};
}

/** An environment in which `node` means the Node at a path. @type {(environment: NodeJS.ProcessEnv, node: { bin: string }) => NodeJS.ProcessEnv} */
export const withNodeFirst = (environment, { bin }) => ({ ...environment, PATH: `${path.dirname(bin)}:${environment.PATH}` });
