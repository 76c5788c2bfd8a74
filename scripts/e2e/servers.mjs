import { findPostgres } from '../servers/postgres.mjs';
import { hasRedis } from '../servers/redis.mjs';
import { canRunUnprivileged } from '../servers/unprivileged.mjs';
import { Failure } from '../setup/failure.mjs';

/** How to come by the servers that n8n's queue mode needs. */
export const SERVERS = {
	redis: { name: 'Redis', debian: 'redis-server', brew: 'redis', variable: 'REDIS_URL=redis://…' },
	postgres: { name: 'PostgreSQL', debian: 'postgresql', brew: 'postgresql@17', variable: 'DATABASE_URL=postgresql://…' },
};

/**
 * Refuses to begin without the servers that n8n's queue mode needs.
 * @throws {Failure} that says what to install
 */
export async function requireServers() {
	const { REDIS_URL, DATABASE_URL } = process.env;
	const missing = [...(REDIS_URL || hasRedis() ? [] : [SERVERS.redis]), ...(DATABASE_URL || (await findPostgres()) ? [] : [SERVERS.postgres])];
	if (missing.length > 0) throw new Failure(whatToInstall(missing));
	if (!DATABASE_URL && !canRunUnprivileged()) {
		throw new Failure(
			'PostgreSQL does not run as root, and setpriv, by which it can be run as another account, is not on this machine. ' +
				`Install util-linux, or run the command as another account, or name a running server: ${SERVERS.postgres.variable} npm run e2e:queue`,
		);
	}
}

/** @param {Array<typeof SERVERS.redis>} missing */
export function whatToInstall(missing) {
	const all = (field, between) => missing.map((server) => server[field]).join(between);
	return (
		`n8n's queue mode needs ${all('name', ' and ')}, which this machine does not have.\n` +
		`  Debian, Ubuntu: sudo apt-get install ${all('debian', ' ')}\n` +
		`  macOS:          brew install ${all('brew', ' ')}\n` +
		`  or name a running one: ${all('variable', ' ')} npm run e2e:queue`
	);
}
