import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { anyFreePort } from '../../../scripts/servers/ports.mts';
import { answers, waitUntil } from '../../../scripts/servers/waiting.mts';
import { requireServers, startPostgres, startRedis } from './redisAndPostgres.mts';
import { type Content, importInto, startN8n } from '../../../scripts/n8n/cli.mts';
import { type N8n, n8nLike, type Settings } from '../../../scripts/n8n/home.mts';
import { CONCURRENCY, queueSettings, WORKER_SETTINGS } from './queueSettings.mts';
import { serveEditor } from '../../../scripts/n8n/server.mts';

const READY_WITHIN_MS = 120_000;

/** An n8n in queue mode: a main, which takes the calls, and workers, which share nothing in memory. */
export type QueueMode = Awaited<ReturnType<typeof startQueueMode>>;
/** A worker process. */
export type Worker = QueueMode['workers'][number];

interface Options {
	/** Whose packages all processes have. */
	n8n: N8n;
	/** For all that is written. */
	folder: string;
	/** Under which it keeps its own in servers that hold other things; unique, of letters, digits and `_`. */
	name: string;
	content: Content;
	workers: number;
	/** Environment variables of the workers alone. */
	workerSettings: Settings;
	/** What the names of the logs begin with. */
	log: string;
}

/** Starts an n8n in queue mode, with Redis and PostgreSQL unless REDIS_URL and DATABASE_URL name ones that run. */
export async function startQueueMode({ n8n, folder, name, content, workers, workerSettings, log }: Options) {
	requireServers();
	const ends: Array<() => Promise<void>> = [];
	const started = <T extends { stop: () => Promise<void> }>(server: T) => {
		ends.push(server.stop);
		return server;
	};
	/** Ends all of it: who uses another before that. */
	const stop = async () => {
		for (const end of ends.splice(0).reverse()) await end();
	};
	/** @param worker its name; another one's of this name must have ended, whose log it overwrites */
	const startWorker = async (worker: string) => {
		const port = await anyFreePort();
		const home = await n8nLike(n8n, path.join(folder, worker), settings);
		const health = { N8N_WORKER_SERVER_ADDRESS: '127.0.0.1', QUEUE_HEALTH_CHECK_PORT: String(port) };
		const options = { log: `${log}-${worker}`, settings: { ...WORKER_SETTINGS, ...workerSettings, ...health } };
		const process = started(await startN8n(home, ['worker', `--concurrency=${CONCURRENCY}`], options));
		const isReady = () => answers(`http://127.0.0.1:${port}/healthz/readiness`);
		await waitUntil(isReady, { what: `n8n's ${worker}`, process, withinMs: READY_WITHIN_MS });
		const executions = (what: string) => {
			return [...process.output().matchAll(new RegExp(`Worker ${what} execution (\\d+)`, 'g'))].map(([, id]) => id!);
		};
		return {
			...process,
			name: worker,
			/** Ids of the executions that it began, in that order; one that it began twice is there twice. */
			started: () => executions('started'),
			/** Ids of those that it has ended. */
			finished: () => executions('finished'),
			/** Ends it and whatever it has started, without a chance to tidy up. */
			kill: async () => {
				process.signal('SIGKILL');
				await process.ended;
			},
		};
	};

	let settings: Settings = {};
	try {
		const { REDIS_URL, DATABASE_URL } = process.env;
		const redis = REDIS_URL || started(await startRedis(path.join(folder, 'redis'))).url;
		const database = DATABASE_URL || started(await startPostgres()).url;
		const storage = started(await openStorage(n8n, { redis, database, name }));
		settings = queueSettings({ redis, database, space: name, encryptionKey: randomBytes(16).toString('hex') });

		const main = await n8nLike(n8n, path.join(folder, 'main'), settings);
		await importInto(main, content);
		const port = await anyFreePort();
		const server = started(await serveEditor(main, { port, log: `${log}-main` }));
		const all = await Promise.all(Array.from({ length: workers }, (_, index) => startWorker(`worker-${index + 1}`)));
		const { executions } = storage;
		return { url: `http://127.0.0.1:${port}`, owner: server.owner, workers: all, startWorker, log: server.log, executions, stop };
	} catch (error) {
		await stop();
		throw error;
	}
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
async function openStorage({ modules }: N8n, { redis, database, name }: Record<'redis' | 'database' | 'name', string>) {
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
