import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './failure.mjs';

/**
 * Lets a command run in a clone once at a time: two would share n8n's database, and the second would point
 * the first one's credentials at its own sandbox.
 * @param {string} command as its user types it, such as `npm start`
 * @param {string} marker the file that says that one runs
 */
export function requireToBeTheOnlyOne(command, marker) {
	const other = running(marker);
	if (other) {
		throw new Failure(`${command} runs in this clone already (process ${other.pid}). End it with Ctrl-C first, or make a second clone.`);
	}
	mkdirSync(path.dirname(marker), { recursive: true });
	writeFileSync(marker, JSON.stringify({ pid: process.pid }));
	process.once('exit', () => rmSync(marker, { force: true }));
}

/** The run that is there already; one that ended without tidying up does not count. */
function running(marker) {
	try {
		const { pid } = JSON.parse(readFileSync(marker, 'utf8'));
		process.kill(pid, 0);
		return { pid };
	} catch {
		return undefined;
	}
}
