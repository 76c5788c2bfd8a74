import { runLogged } from './run-logged.mjs';

/**
 * Runs npm: the one that runs us, where there is one, because its path works on every system.
 * @param {string[]} args
 * @param {Parameters<typeof runLogged>[2]} options
 */
export function npm(args, options) {
	const cli = process.env.npm_execpath;
	if (cli && /npm-cli\.c?js$/.test(cli)) return runLogged(process.execPath, [cli, ...args], options);
	return runLogged('npm', args, options);
}
