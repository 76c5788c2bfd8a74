import { createHash, randomBytes } from 'node:crypto';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';

import { startN8n } from '../../scripts/n8n/command.mjs';
import { type N8n, nodesFolder } from '../../scripts/n8n/home.mjs';
import { CONCURRENCY, queueSettings, WORKER_SETTINGS } from '../../scripts/n8n/queue-settings.mjs';
import { serveEditor } from '../../scripts/n8n/server.mjs';
import { startPostgres } from '../../scripts/servers/postgres.mjs';
import { startRedis } from '../../scripts/servers/redis.mjs';
import { openSpace } from '../../scripts/servers/space.mjs';
import { anyFreePort } from '../../scripts/setup/ports.mjs';
import { answers, waitUntil } from '../../scripts/setup/waiting.mjs';
import { n8n } from './n8n.mts';

const WORKER_READY_WITHIN_MS = 120_000;
const ACTIVE_WITHIN_MS = 60_000;

/**
 * By these a worker's death is noticed after 10 to 15 seconds. n8n's own settings are 60, 10 and 30 seconds,
 * by which it takes up to two minutes.
 */
const NOTICE_SOON = { QUEUE_WORKER_LOCK_DURATION: '10000', QUEUE_WORKER_LOCK_RENEW_TIME: '2000', QUEUE_WORKER_STALLED_INTERVAL: '3000' };

/** A worker process. */
export interface Worker {
	name: string;
	/** Ids of the executions that it began, in that order; one that it began twice is there twice. */
	started(): string[];
	/** Ids of those that it has ended. */
	finished(): string[];
	/** Ends it and whatever it has started, without a chance to tidy up. */
	kill(): Promise<void>;
	/** Asks it to end, and waits until it has. */
	stop(): Promise<void>;
}

/** An n8n in queue mode: a main, and workers that are started and ended at will. */
export interface QueueMode {
	/** Starts the main and waits until it answers the webhook of a workflow that was published. */
	startMain(webhookPath: string): Promise<void>;
	startWorker(name: string): Promise<Worker>;
	/** An n8n of this queue, for n8n's commands. */
	commands: N8n;
	/** Address of a webhook. */
	webhook(path: string): string;
	executions(): Promise<Array<{ id: string; status: string }>>;
	/** Ends all of it. */
	stop(): Promise<void>;
}

/**
 * Makes ready what n8n's queue mode needs: Redis and PostgreSQL, which are started unless REDIS_URL and
 * DATABASE_URL name ones that run.
 */
export async function prepareQueueMode(): Promise<QueueMode> {
	const { REDIS_URL, DATABASE_URL } = process.env;
	const ends: Array<() => Promise<unknown>> = [];
	const stop = async () => {
		// Who uses another ends before it.
		for (const end of ends.splice(0).reverse()) await end();
	};
	const own = (server: { url: string; stop: () => Promise<void> }) => {
		ends.push(server.stop);
		return server.url;
	};

	const redis = REDIS_URL || own(await startRedis(path.join(n8n.home, 'redis')));
	const database = DATABASE_URL || own(await startPostgres(path.join(n8n.home, 'postgres')));
	// n8n does not quote the name of its schema.
	const name = `n8n_voice_admin_e2e_${n8n.version.replaceAll('.', '_')}_${clone()}`;
	const space = await openSpace(n8n, { redis, database, name });
	ends.push(space.close);

	const shared = queueSettings({ redis, database, space: name, encryptionKey: randomBytes(16).toString('hex') });
	const main = await processOf('main', shared);
	const port = await anyFreePort();
	const webhook = (webhookPath: string) => `http://127.0.0.1:${port}/webhook/${webhookPath}`;

	return {
		commands: main,
		webhook,
		executions: space.executions,
		stop,

		async startMain(webhookPath) {
			const server = await serveEditor(main, { port, log: 'n8n-main' });
			ends.push(endOf(server));
			await waitUntil(async () => await takesPosts(webhook(webhookPath)), { what: 'The webhook', process: server, withinMs: ACTIVE_WITHIN_MS });
		},

		async startWorker(workerName) {
			const healthPort = await anyFreePort();
			const worker = await startN8n(await processOf(workerName, shared), ['worker', `--concurrency=${CONCURRENCY}`], {
				log: `n8n-${workerName}`,
				settings: { ...WORKER_SETTINGS, ...NOTICE_SOON, N8N_WORKER_SERVER_ADDRESS: '127.0.0.1', QUEUE_HEALTH_CHECK_PORT: String(healthPort) },
			});
			const stopWorker = endOf(worker);
			ends.push(stopWorker);
			const ready = async () => await answers(`http://127.0.0.1:${healthPort}/healthz/readiness`);
			await waitUntil(ready, { what: `n8n's ${workerName}`, process: worker, withinMs: WORKER_READY_WITHIN_MS });
			const executions = (what: string) => [...worker.output().matchAll(new RegExp(`Worker ${what} execution (\\d+)`, 'g'))].map(([, id]) => id!);
			return {
				name: workerName,
				started: () => executions('started'),
				finished: () => executions('finished'),
				kill: async () => {
					worker.signal('SIGKILL');
					await worker.ended;
				},
				stop: stopWorker,
			};
		},
	};
}

/** A mark of this clone, so that two that share a database do not take each other's tables away. */
const clone = () => createHash('sha256').update(n8n.home).digest('hex').slice(0, 8);

/** An n8n with a home of its own, as on a machine of its own, that has the same package. */
async function processOf(name: string, settings: Record<string, string>): Promise<N8n> {
	const own: N8n = { ...n8n, home: path.join(n8n.home, name), settings };
	await mkdir(path.dirname(nodesFolder(own)), { recursive: true });
	await symlink(nodesFolder(n8n), nodesFolder(own), 'junction').catch(ifMissing);
	return own;
}

/** A process that is started again has its home already. */
function ifMissing(error: NodeJS.ErrnoException): void {
	if (error.code !== 'EEXIST') throw error;
}

/** Whether n8n has a webhook for POST at an address, asked as a browser does; nothing is executed. */
async function takesPosts(url: string): Promise<boolean> {
	const response = await fetch(url, { method: 'OPTIONS', headers: { origin: url } });
	return response.headers.get('access-control-allow-methods')?.includes('POST') ?? false;
}

/** Asks a process to end, unless it has, and waits until it has. */
function endOf({ signal, ended }: Awaited<ReturnType<typeof startN8n>>): () => Promise<void> {
	let runs = true;
	void ended.then(() => (runs = false));
	return async () => {
		if (runs) signal('SIGTERM');
		await ended;
	};
}
