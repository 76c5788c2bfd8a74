import { spawnSync } from 'node:child_process';
import { Failure } from '../bootstrap/failure.mjs';

/** Finds the first of several programs that is on the PATH. @returns its path @throws {Failure} that says how to install one */
function requireProgram(programs: string[], title: string, debianPackage: string, variable: string): string {
	const search = 'for name; do command -v "$name" && exit; done';
	const { stdout } = spawnSync('/bin/sh', ['-c', search, 'sh', ...programs], { encoding: 'utf8' });
	if (stdout.trim()) return stdout.trim();
	throw new Failure(
		`${title} was not found: no ${programs.join(', ')}. Debian, Ubuntu: sudo apt-get install ${debianPackage}. ` +
			`Or name one that is elsewhere by the variable ${variable}.`,
	);
}

/** The names in Linux distributions and in Google's packages. */
const CHROMIUM_PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export function findChromium(): string {
	const programs = process.env.CHROMIUM ? [process.env.CHROMIUM] : CHROMIUM_PROGRAMS;
	return requireProgram(programs, 'Chromium or Chrome', 'chromium', 'CHROMIUM');
}

/** Refuses to begin without the servers that n8n's queue mode needs: programs, or addresses of running ones. */
export function requireServers(): void {
	if (!process.env.REDIS_URL) requireProgram(['redis-server'], 'Redis', 'redis-server', 'REDIS_URL');
	// Debian's way to a PostgreSQL for the time of a command: it keeps the server's programs out of PATH.
	if (!process.env.DATABASE_URL) requireProgram(['pg_virtualenv'], 'PostgreSQL', 'postgresql', 'DATABASE_URL');
}
