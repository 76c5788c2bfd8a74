import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { CACHE } from './paths.mjs';

const inCache = (...parts) => path.join(CACHE, ...parts);

/** Where tools put what they keep, unless told otherwise: all of it goes into the clone's `.cache`. */
function keptInside() {
	const temporary = inCache('tmp');
	mkdirSync(temporary, { recursive: true });
	return {
		TMPDIR: temporary,
		TEMP: temporary,
		TMP: temporary,
		XDG_CACHE_HOME: inCache('xdg', 'cache'),
		XDG_CONFIG_HOME: inCache('xdg', 'config'),
		XDG_DATA_HOME: inCache('xdg', 'data'),
		XDG_STATE_HOME: inCache('xdg', 'state'),
		PNPM_HOME: inCache('pnpm', 'home'),
		npm_config_cache: inCache('npm'),
		npm_config_update_notifier: 'false',
	};
}

/**
 * For npm and pnpm. HOME stays the user's own: their `.npmrc` may name the mirror or the proxy that they need.
 */
export function installEnvironment() {
	return { ...process.env, ...keptInside() };
}

/**
 * For pnpm while it compiles native modules.
 * @param {{ bin: string, folder: string }} node the Node that the modules are for; see node-at-hand.mjs
 */
export function compileEnvironment(node) {
	const environment = withNodeFirst(installEnvironment(), node);
	environment.npm_config_devdir = inCache('node-gyp');
	// The headers beside the binary spare node-gyp a download from outside the registry.
	if (existsSync(path.join(node.folder, 'include', 'node', 'node_version.h'))) {
		environment.npm_config_nodedir = node.folder;
	}
	return environment;
}

/** For everything that is not a package manager: these have no business in the user's home at all. */
export function runEnvironment() {
	const home = inCache('home');
	mkdirSync(home, { recursive: true });
	return {
		...process.env,
		...keptInside(),
		HOME: home,
		USERPROFILE: home,
		// redocly, the linter of the OpenAPI document, would ask and tell the internet.
		REDOCLY_TELEMETRY: 'off',
		REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
	};
}

/**
 * A copy of an environment in which `node` means the given Node.
 * @param {NodeJS.ProcessEnv} environment
 * @param {{ bin: string }} node
 */
export function withNodeFirst(environment, node) {
	// Windows spells the variable `Path`, and a copy of process.env is no longer case-insensitive.
	const name = Object.keys(environment).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
	return { ...environment, [name]: path.dirname(node.bin) + path.delimiter + (environment[name] ?? '') };
}
