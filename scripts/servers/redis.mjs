import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runEnvironment } from '../setup/environment.mjs';
import { anyFreePort } from '../setup/ports.mjs';
import { startLogged } from '../setup/run-logged.mjs';
import { waitUntil } from '../setup/waiting.mjs';
import { folderOf } from './executable.mjs';

const READY_WITHIN_MS = 30_000;

const SERVER = 'redis-server';

/** Whether this machine has a Redis server. */
export const hasRedis = () => folderOf([SERVER]) !== undefined;

/**
 * Starts a Redis of one's own, empty, for this machine only, that writes nothing to disk.
 * @param {string} folder to run in; goes when the server is stopped
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startRedis(folder) {
	await mkdir(folder, { recursive: true });
	const port = await anyFreePort();
	const password = randomBytes(16).toString('hex');
	const settings = path.join(folder, 'redis.conf');
	// In a file, as arguments can be read by everybody on the machine.
	await writeFile(settings, [`port ${port}`, 'bind 127.0.0.1', `requirepass ${password}`, 'save ""', 'appendonly no', ''].join('\n'), { mode: 0o600 });
	const server = startLogged(SERVER, [settings], { log: 'redis', cwd: folder, env: runEnvironment() });
	await waitUntil(async () => server.output().includes('Ready to accept connections'), { what: 'Redis', process: server, withinMs: READY_WITHIN_MS });
	return {
		url: `redis://:${password}@127.0.0.1:${port}`,
		stop: async () => {
			server.signal('SIGTERM');
			await server.ended;
			await rm(folder, { recursive: true, force: true });
		},
	};
}
