import type { Settings } from '../../../scripts/n8n/home.mts';

/**
 * The settings by which the processes of an n8n take part in one queue: the main and every worker need the same.
 * docs/queue-mode/compose.yaml has them too.
 * @param servers redis, database: URLs; space: the name under which this n8n keeps its own in the two
 */
export function queueSettings(
	servers: Record<'redis' | 'database' | 'encryptionKey', string> & { space?: string },
): Settings {
	const [redis, postgres] = [new URL(servers.redis), new URL(servers.database)];
	const { encryptionKey, space } = servers;
	return {
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: encryptionKey,
		QUEUE_BULL_REDIS_HOST: redis.hostname,
		QUEUE_BULL_REDIS_PORT: redis.port || '6379',
		...(redis.pathname.slice(1) && { QUEUE_BULL_REDIS_DB: redis.pathname.slice(1) }),
		...(redis.username && { QUEUE_BULL_REDIS_USERNAME: decodeURIComponent(redis.username) }),
		...(redis.password && { QUEUE_BULL_REDIS_PASSWORD: decodeURIComponent(redis.password) }),
		...(redis.protocol === 'rediss:' && { QUEUE_BULL_REDIS_TLS: 'true' }),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: postgres.hostname,
		DB_POSTGRESDB_PORT: postgres.port || '5432',
		DB_POSTGRESDB_DATABASE: decodeURIComponent(postgres.pathname.slice(1)) || 'postgres',
		DB_POSTGRESDB_USER: decodeURIComponent(postgres.username),
		DB_POSTGRESDB_PASSWORD: decodeURIComponent(postgres.password),
		...((postgres.searchParams.get('sslmode') ?? 'disable') !== 'disable' && { DB_POSTGRESDB_SSL_ENABLED: 'true' }),
		...(space && { QUEUE_BULL_PREFIX: space, N8N_REDIS_KEY_PREFIX: space, DB_POSTGRESDB_SCHEMA: space }),
	};
}

/** What is set for the workers alone, in docs/queue-mode/compose.yaml too. */
export const WORKER_SETTINGS = {
	// A worker then says whether it is ready, as the main always does.
	QUEUE_HEALTH_CHECK_ACTIVE: 'true',
	// So many seconds a worker that is asked to end has for the executions that it has begun.
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '120',
};

/** Executions that a worker runs at once, the argument `--concurrency` of `n8n worker`. */
export const CONCURRENCY = 5;
