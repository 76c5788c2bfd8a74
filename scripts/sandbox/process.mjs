import path from 'node:path';
import { runEnvironment } from '../setup/environment.mjs';
import { ROOT } from '../setup/paths.mjs';
import { startLogged } from '../setup/run-logged.mjs';
import { answers, waitUntil } from '../setup/waiting.mjs';

const READY_WITHIN_MS = 30_000;

/**
 * How the sandbox is run from its TypeScript sources, in the folder of the clone: in one process, unlike the
 * `tsx` command's two.
 * @param {string[]} args of the sandbox
 */
export function sandboxCommand(args) {
	return { command: process.execPath, args: ['--import', 'tsx', path.join('sandbox', 'cli.ts'), ...args] };
}

/**
 * Starts the sandbox and waits until it answers.
 * @param {number} port
 */
export async function startSandbox(port) {
	const { command, args } = sandboxCommand(['--port', String(port)]);
	const sandbox = startLogged(command, args, { log: 'sandbox', cwd: ROOT, env: runEnvironment() });
	const url = `http://127.0.0.1:${port}`;
	await waitUntil(() => answers(`${url}/_sandbox/health`), { what: 'The sandbox', process: sandbox, withinMs: READY_WITHIN_MS });
	return { ...sandbox, url };
}
