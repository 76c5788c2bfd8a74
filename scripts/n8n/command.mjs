import { mkdirSync } from 'node:fs';
import { Failure } from '../setup/failure.mjs';
import { fromRoot } from '../setup/paths.mjs';
import { startLogged, tail } from '../setup/run-logged.mjs';
import { n8nEnvironment } from './home.mjs';

/**
 * Starts one of n8n's commands, with its output in a log.
 * @param {import('./home.mjs').N8n} n8n
 * @param {string[]} args such as `['worker', '--concurrency=5']`
 * @param {{ log?: string, settings?: Record<string, string>, report?: (line: string) => void, wholeStdout?: boolean }} [options]
 *   log: the log's name; settings: environment variables of this process alone; the others: see startLogged
 */
export async function startN8n(n8n, args, { log = `n8n-${args[0].replace(':', '-')}`, settings = {}, report, wholeStdout } = {}) {
	mkdirSync(n8n.home, { recursive: true });
	return startLogged(n8n.node.bin, [n8n.cli, ...args], {
		log,
		cwd: n8n.home,
		env: { ...(await n8nEnvironment(n8n)), ...settings },
		report,
		wholeStdout,
	});
}

/**
 * Runs one of n8n's commands to its end.
 * @param {import('./home.mjs').N8n} n8n
 * @param {string[]} args such as `['import:workflow', '--input=…']`
 * @param {Parameters<typeof startN8n>[2]} [options]
 * @throws {Failure} when the command ends with another exit code than 0
 */
export async function n8nCommand(n8n, args, options) {
	const result = await (await startN8n(n8n, args, options)).ended;
	if (result.code !== 0) {
		throw new Failure(`n8n ${args[0]} failed; the lines above say why.`, { details: `${tail(result.output)}\n(all of it: ${fromRoot(result.log)})` });
	}
	return result;
}
