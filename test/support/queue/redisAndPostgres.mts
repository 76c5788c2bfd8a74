import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runEnvironment } from '../../../scripts/bootstrap/environment.mjs';
import { Failure } from '../../../scripts/bootstrap/failure.mjs';
import { startLogged } from '../../../scripts/bootstrap/processes.mjs';
import { anyFreePort } from '../../../scripts/servers/ports.mts';
import { findProgram } from '../../../scripts/servers/programs.mts';
import { waitUntil } from '../../../scripts/servers/waiting.mts';

const READY_WITHIN_MS = 60_000;

/** What n8n's queue mode needs beside n8n: the program that gives one, or the variable that names one that runs. */
const SERVERS = [
	{ name: 'Redis', program: 'redis-server', debian: 'redis-server', variable: 'REDIS_URL', url: 'redis://…' },
	// Debian's way to a PostgreSQL for the time of a command: it keeps the server's programs out of PATH.
	{ name: 'PostgreSQL', program: 'pg_virtualenv', debian: 'postgresql', variable: 'DATABASE_URL', url: 'postgresql://…' },
];

/**
 * Refuses to begin without the servers that n8n's queue mode needs.
 * @throws {Failure} that says what to install
 */
export function requireServers(): void {
	const missing = SERVERS.filter(({ program, variable }) => !process.env[variable] && !findProgram(program));
	if (missing.length === 0) return;
	throw new Failure(
		`n8n's queue mode needs ${missing.map(({ name }) => name).join(' and ')}, which this machine does not have.\n` +
			`  Debian, Ubuntu: sudo apt-get install ${missing.map(({ debian }) => debian).join(' ')}\n` +
			`  or name a running one: ${missing.map(({ variable, url }) => `${variable}=${url}`).join(' ')} npm run e2e:queue`,
	);
}

/** Starts a Redis of one's own, empty, for this machine only, that writes nothing to disk. @param folder to run in */
export async function startRedis(folder: string) {
	await mkdir(folder, { recursive: true });
	const [port, password] = [await anyFreePort(), randomBytes(16).toString('hex')];
	const settings = path.join(folder, 'redis.conf');
	// In a file, as arguments can be read by everybody on the machine.
	const lines = [`port ${port}`, 'bind 127.0.0.1', `requirepass ${password}`, 'save ""', 'appendonly no', ''];
	await writeFile(settings, lines.join('\n'), { mode: 0o600 });
	const server = startLogged('redis-server', [settings], { log: 'redis', cwd: folder, env: runEnvironment() });
	const isReady = async () => server.output().includes('Ready to accept connections');
	await waitUntil(isReady, { what: 'Redis', process: server, withinMs: READY_WITHIN_MS });
	return { url: `redis://:${password}@127.0.0.1:${port}`, stop: server.stop };
}

/** Starts a PostgreSQL like that, in the temporary folder, and not as root, as which it does not run. */
export async function startPostgres() {
	const command = 'echo "postgresql://$PGUSER:$PGPASSWORD@127.0.0.1:$PGPORT/postgres"; exec sleep infinity';
	const options = { log: 'postgres', cwd: '/', env: { ...runEnvironment(), TMPDIR: '/tmp' } };
	const server = startLogged('pg_virtualenv', ['-t', 'sh', '-c', command], options);
	const firstUrl = async () => /^postgresql:.*/m.exec(server.output())?.[0];
	const url = await waitUntil(firstUrl, { what: 'PostgreSQL', process: server, withinMs: READY_WITHIN_MS });
	return { url: url!, stop: server.stop };
}
