import { Failure } from '../setup/failure.mjs';
import { fromRoot } from '../setup/paths.mjs';
import { runLogged, startLogged, tail } from '../setup/run-logged.mjs';
import { n8nEnvironment, n8nHome } from './n8n-home.mjs';

/**
 * Runs one of n8n's commands to its end.
 * @param {Awaited<ReturnType<typeof import('../setup/runtime.mjs').ensureRuntime>>} runtime
 * @param {string[]} args such as `['import:workflow', '--input=…']`
 * @param {{ port: number, report?: (line: string) => void }} options port: of n8n's editor
 */
export async function n8nCommand(runtime, args, { port, report }) {
	const result = await runLogged(runtime.node.bin, [runtime.cli, ...args], {
		log: `n8n-${args[0].replace(':', '-')}`,
		cwd: n8nHome(runtime.version),
		env: await n8nEnvironment(runtime, { port }),
		report,
	});
	if (result.code !== 0) {
		throw new Failure(`n8n ${args[0]} failed; the lines above say why.`, { details: `${tail(result.output)}\n(all of it: ${fromRoot(result.log)})` });
	}
	return result;
}

/** Starts n8n's server; its output goes to the log `n8n`. */
export async function startN8n(runtime, { port }) {
	return startLogged(runtime.node.bin, [runtime.cli, 'start'], {
		log: 'n8n',
		cwd: n8nHome(runtime.version),
		env: await n8nEnvironment(runtime, { port }),
	});
}
