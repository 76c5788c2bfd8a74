import path from 'node:path';
import { ROOT } from '../bootstrap/paths.mjs';
import { runEnvironment } from '../bootstrap/environment.mjs';
import { type Started, startLogged } from '../bootstrap/processes.mjs';
import { answers, waitUntil } from './waiting.mts';

const READY_WITHIN_MS = 30_000;

/** The arguments of Node that run the sandbox, in the folder of the clone: in one process, unlike the `tsx` command's two. */
export const sandboxArguments = (args: string[]) => ['--import', 'tsx', path.join('sandbox', 'cli.ts'), ...args];

/** Starts the sandbox and waits until it answers. */
export async function startSandboxProcess(port: number): Promise<Started & { url: string }> {
	const args = sandboxArguments(['--port', String(port)]);
	const sandbox = startLogged(process.execPath, args, { log: 'sandbox', cwd: ROOT, env: runEnvironment() });
	const url = `http://127.0.0.1:${port}`;
	await waitUntil(() => answers(`${url}/_sandbox/health`), { what: 'The sandbox', process: sandbox, withinMs: READY_WITHIN_MS });
	return { ...sandbox, url };
}
