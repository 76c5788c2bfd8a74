import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createRunEnv } from '../../../scripts/bootstrap/environment.mjs';
import { startWithLog } from '../../../scripts/bootstrap/processes.mjs';
import type { N8nInstance } from '../../../scripts/n8n/home.mts';
import { findFreePort } from '../../../scripts/servers/ports.mts';
import { waitUntil } from '../../../scripts/servers/readiness.mts';

const READY_WITHIN_MS = 60_000;

/** Starts a Redis of one's own, empty, for this machine only, that writes nothing to disk. @param folder to run in */
export async function startRedis(folder: string) {
	await mkdir(folder, { recursive: true });
	const [port, password] = [await findFreePort(), randomBytes(16).toString('hex')];
	const settings = path.join(folder, 'redis.conf');
	// In a file, as arguments can be read by everybody on the machine.
	const lines = [`port ${port}`, 'bind 127.0.0.1', `requirepass ${password}`, 'save ""', 'appendonly no', ''];
	await writeFile(settings, lines.join('\n'), { mode: 0o600 });
	const server = startWithLog('redis-server', [settings], { log: 'redis', cwd: folder, env: createRunEnv() });
	const isReady = async () => server.readOutput().includes('Ready to accept connections');
	await waitUntil(isReady, { name: 'Redis', process: server, withinMs: READY_WITHIN_MS });
	return { url: `redis://:${password}@127.0.0.1:${port}`, stop: server.stop };
}

/** Starts a PostgreSQL like that, in the temporary folder, and not as root, as which it does not run. */
export async function startPostgres() {
	const command = 'echo "postgresql://$PGUSER:$PGPASSWORD@127.0.0.1:$PGPORT/postgres"; exec sleep infinity';
	const options = { log: 'postgres', cwd: '/', env: { ...createRunEnv(), TMPDIR: '/tmp' } };
	// Two that start at once would choose the same port.
	const port = `--port ${await findFreePort()}`;
	const server = startWithLog('pg_virtualenv', ['-t', '-c', port, 'sh', '-c', command], options);
	const firstUrl = async () => /^postgresql:.*/m.exec(server.readOutput())?.[0];
	const url = await waitUntil(firstUrl, { name: 'PostgreSQL', process: server, withinMs: READY_WITHIN_MS });
	return { url: url!, stop: server.stop };
}

/** What is used of n8n's own clients of the two servers. */
interface Clients {
	Client: new (options: { connectionString: string }) => {
		connect(): Promise<void>;
		query(sql: string): Promise<{ rows: Array<{ id: string; status: string }> }>;
		end(): Promise<void>;
	};
	Redis: new (url: string) => {
		scanStream(options: { match: string; count: number }): AsyncIterable<string[]>;
		del(...keys: string[]): Promise<number>;
		disconnect(): void;
	};
}

/**
 * A place for one n8n in a PostgreSQL and a Redis that may hold other things: a schema and a prefix, empty at first.
 * @param n8n whose clients of the two are used
 * @param servers redis, database: URLs; name: of the schema, which n8n does not quote, and the prefix
 */
export async function openStorage(
	{ modules: modules }: N8nInstance,
	{ redis, database, name }: Record<'redis' | 'database' | 'name', string>,
) {
	const require = createRequire(path.join(modules, 'index.js'));
	const [{ Client }, Redis] = [require('pg') as Pick<Clients, 'Client'>, require('ioredis') as Clients['Redis']];
	const client = new Client({ connectionString: database });
	await client.connect();

	const clear = async () => {
		await client.query(`DROP SCHEMA IF EXISTS "${name}" CASCADE`);
		const connection = new Redis(redis);
		try {
			for await (const keys of connection.scanStream({ match: `${name}:*`, count: 1000 })) {
				if (keys.length > 0) await connection.del(...keys);
			}
		} finally {
			connection.disconnect();
		}
	};
	// What a run that was killed has left.
	await clear();
	await client.query(`CREATE SCHEMA "${name}"`);

	const query = `SELECT CAST(id AS text) AS id, status FROM "${name}".execution_entity AS e ORDER BY e.id`;
	return {
		/** n8n's executions, in the order in which it accepted them. */
		executions: async () => (await client.query(query)).rows,
		/** Takes everything of it out of the two. */
		stop: async () => {
			await clear();
			await client.end();
		},
	};
}
