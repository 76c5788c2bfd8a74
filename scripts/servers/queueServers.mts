import { Failure } from '../bootstrap/failure.mjs';
import { findProgram } from './programs.mts';

/** What n8n's queue mode needs beside n8n: the program that gives one, or the variable that names one that runs. */
const SERVERS = [
	{ name: 'Redis', program: 'redis-server', debian: 'redis-server', variable: 'REDIS_URL', url: 'redis://…' },
	// Debian's way to a PostgreSQL for the time of a command: it keeps the server's programs out of PATH.
	{
		name: 'PostgreSQL',
		program: 'pg_virtualenv',
		debian: 'postgresql',
		variable: 'DATABASE_URL',
		url: 'postgresql://…',
	},
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
