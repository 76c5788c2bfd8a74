import os from 'node:os';
import path from 'node:path';
import { ROOT } from '../bootstrap/paths.mjs';
import { createRunEnv } from '../bootstrap/environment.mjs';
import { startWithLog } from '../bootstrap/processes.mjs';
import { isResponding, waitUntil } from './readiness.mts';

const READY_WITHIN_MS = 30_000;

/**
 * Restarts the script after it whenever a file of the sandbox changes. All are named here: tsx finds those that are loaded by
 * itself, but only after a while.
 */
const WATCH_ARGS = [
	path.join('node_modules', 'tsx', 'dist', 'cli.mjs'),
	'watch',
	'--clear-screen=false',
	'--include',
	'sandbox/**/*.{ts,yaml}',
];

/** Starts the sandbox and waits until it responds. @param watch restarts it on changes, and prints its errors on the terminal */
export async function startSandboxProcess(port: number, { watch = false } = {}) {
	const args = [...(watch ? WATCH_ARGS : []), path.join('scripts', 'run.mjs'), 'sandbox', '--port', String(port)];
	// The caller has installed everything, and nothing should be reinstalled while n8n is running.
	const env: NodeJS.ProcessEnv = { ...createRunEnv(), VOICE_ADMIN_NO_INSTALL: '1' };
	// tsx puts a socket there, and its path has at most 107 characters: in the clone, it may have more.
	if (watch) env.TMPDIR = os.tmpdir();
	const sandbox = startWithLog(process.execPath, args, {
		log: 'sandbox',
		cwd: ROOT,
		env,
		...(watch && { stderr: 'inherit' }),
	});
	const url = `http://127.0.0.1:${port}`;
	await waitUntil(() => isResponding(`${url}/_sandbox/health`), {
		name: 'The sandbox',
		process: sandbox,
		withinMs: READY_WITHIN_MS,
	});
	return { ...sandbox, url };
}
