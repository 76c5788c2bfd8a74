import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { requireServers } from '../../scripts/e2e/servers.mjs';
import { startN8n } from '../../scripts/n8n/command.mjs';
import { CONCURRENCY, databaseSettings, queueSettings, WORKER_SETTINGS } from '../../scripts/n8n/queue-settings.mjs';
import { startPostgres } from '../../scripts/servers/postgres.mjs';
import { startRedis } from '../../scripts/servers/redis.mjs';
import { openSpace } from '../../scripts/servers/space.mjs';
import { anyFreePort } from '../../scripts/setup/ports.mjs';
import { answers, waitUntil } from '../../scripts/setup/waiting.mjs';
import { end, n8nOf, startServer } from './server.mjs';

const READY_WITHIN_MS = 120_000;

/**
 * Starts an n8n in queue mode: a main that takes the calls, and workers, which share nothing in memory.
 * @param {import('../../scripts/n8n/home.mjs').N8n} n8n
 * @param {string} folder for all that it writes
 * @param {Record<string, object[]>} content workflows and credentials, for importInto
 * @param {number} workers
 */
export async function startQueue(n8n, folder, content, workers) {
	await requireServers();
	const { REDIS_URL, DATABASE_URL } = process.env;
	const redis = REDIS_URL ? { url: REDIS_URL } : await startRedis(path.join(folder, 'redis'));
	const postgres = DATABASE_URL ? { url: DATABASE_URL } : await startPostgres(path.join(folder, 'postgres'));
	const name = `n8n_voice_admin_bench_${n8n.version.replaceAll('.', '_')}`;
	const at = { redis: redis.url, database: postgres.url };
	const space = await openSpace(n8n, { ...at, name });

	const settings = queueSettings({ ...at, space: name, encryptionKey: randomBytes(16).toString('hex') });
	const server = await startServer(await n8nOf(n8n, path.join(folder, 'main'), settings), content);
	const started = [];
	for (let number = 1; number <= workers; number++) {
		started.push(await startWorker(await n8nOf(n8n, path.join(folder, `worker-${number}`), settings)));
	}
	return {
		url: server.url,
		owner: server.owner,
		stop: async () => {
			await Promise.all(started.map(end));
			await server.stop();
			await space.close();
			await postgres.stop?.();
			await redis.stop?.();
		},
	};
}

/**
 * Starts an n8n server that keeps its data in a PostgreSQL of its own, as n8n advises where there are many executions.
 * @param {import('../../scripts/n8n/home.mjs').N8n} n8n
 * @param {string} folder for all that it writes
 * @param {Record<string, object[]>} content workflows and credentials, for importInto
 */
export async function startOnPostgres(n8n, folder, content) {
	await requireServers();
	const postgres = await startPostgres(path.join(folder, 'postgres'));
	const server = await startServer(await n8nOf(n8n, path.join(folder, 'n8n'), databaseSettings(postgres.url)), content);
	return {
		url: server.url,
		owner: server.owner,
		stop: async () => {
			await server.stop();
			await postgres.stop();
		},
	};
}

async function startWorker(n8n) {
	const port = await anyFreePort();
	const settings = { ...WORKER_SETTINGS, N8N_WORKER_SERVER_ADDRESS: '127.0.0.1', QUEUE_HEALTH_CHECK_PORT: String(port) };
	const worker = await startN8n(n8n, ['worker', `--concurrency=${CONCURRENCY}`], { log: `bench-${path.basename(n8n.home)}`, settings });
	await waitUntil(() => answers(`http://127.0.0.1:${port}/healthz/readiness`), { what: "n8n's worker", process: worker, withinMs: READY_WITHIN_MS });
	return worker;
}
