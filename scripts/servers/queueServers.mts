import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { runEnvironment } from '../bootstrap/environment.mjs';
import { anyFreePort } from './ports.mts';
import { startLogged } from '../bootstrap/processes.mjs';
import { waitUntil } from './waiting.mts';
import { findPostgres, type OwnServer } from './postgres.mts';
import { folderOf } from './programs.mts';

const READY_WITHIN_MS = 30_000;
const SERVER = 'redis-server';

/**
 * Starts a Redis of one's own, empty, for this machine only, that writes nothing to disk.
 * @param folder to run in
 */
export async function startRedis(folder: string): Promise<OwnServer> {
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
			await server.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** The servers that n8n's queue mode needs, for who has to come by them. */
const SERVERS = {
	redis: { name: 'Redis', debian: 'redis-server', variable: 'REDIS_URL=redis://…' },
	postgres: { name: 'PostgreSQL', debian: 'postgresql', variable: 'DATABASE_URL=postgresql://…' },
};

/**
 * Refuses to begin without the servers that n8n's queue mode needs.
 * @throws {Failure} that says what to install
 */
export async function requireServers(): Promise<void> {
	const { REDIS_URL, DATABASE_URL } = process.env;
	const missing = [...(REDIS_URL || folderOf([SERVER]) ? [] : [SERVERS.redis]), ...(DATABASE_URL || (await findPostgres()) ? [] : [SERVERS.postgres])];
	if (missing.length === 0) return;
	const all = (field: keyof typeof SERVERS.redis, between: string) => missing.map((server) => server[field]).join(between);
	throw new Failure(
		`n8n's queue mode needs ${all('name', ' and ')}, which this machine does not have.\n` +
			`  Debian, Ubuntu: sudo apt-get install ${all('debian', ' ')}\n` +
			`  or name a running one: ${all('variable', ' ')} npm run e2e:queue`,
	);
}
