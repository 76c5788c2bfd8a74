import type { Settings } from './home.mts';

/** What the processes of one queue share. redis, database: URLs; space: the name under which this n8n keeps its own in the two */
type Shared = Record<'redis' | 'database' | 'encryptionKey', string> & { space?: string };

/**
 * The settings by which the processes of an n8n take part in one queue: the main and every worker need the same.
 * docs/queue-mode/compose.yaml has them too.
 */
export function queueSettings({ redis, database, encryptionKey, space }: Shared): Settings {
	return {
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: encryptionKey,
		...redisSettings(redis),
		...databaseSettings(database),
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

function redisSettings(url: string): Settings {
	const { protocol, hostname, port, username, password, pathname } = new URL(url);
	const database = pathname.slice(1);
	return {
		QUEUE_BULL_REDIS_HOST: hostname,
		QUEUE_BULL_REDIS_PORT: port || '6379',
		...(database && { QUEUE_BULL_REDIS_DB: database }),
		...(username && { QUEUE_BULL_REDIS_USERNAME: decodeURIComponent(username) }),
		...(password && { QUEUE_BULL_REDIS_PASSWORD: decodeURIComponent(password) }),
		...(protocol === 'rediss:' && { QUEUE_BULL_REDIS_TLS: 'true' }),
	};
}

/** The settings by which n8n keeps its data in a PostgreSQL. */
function databaseSettings(url: string): Settings {
	const { hostname, port, username, password, pathname, searchParams } = new URL(url);
	const encrypted = searchParams.has('sslmode') && searchParams.get('sslmode') !== 'disable';
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: hostname,
		DB_POSTGRESDB_PORT: port || '5432',
		DB_POSTGRESDB_DATABASE: decodeURIComponent(pathname.slice(1)) || 'postgres',
		DB_POSTGRESDB_USER: decodeURIComponent(username),
		DB_POSTGRESDB_PASSWORD: decodeURIComponent(password),
		...(encrypted && { DB_POSTGRESDB_SSL_ENABLED: 'true' }),
	};
}
