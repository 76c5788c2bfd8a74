import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../setup/failure.mjs';
import { DEMO } from '../setup/paths.mjs';

const MARKER = path.join(DEMO, 'running.json');

/**
 * Lets one `npm start` run in a clone at a time: two would share n8n's database, and the second would point
 * the first one's credentials at its own sandbox.
 * @param {number} port of n8n's editor, to tell who asks
 * @param {string} marker the file that says that one runs
 */
export function requireToBeTheOnlyOne(port, marker = MARKER) {
	const other = running(marker);
	if (other) {
		throw new Failure(
			`Another npm start runs in this clone (its editor is for port ${other.port}). End it with Ctrl-C first, or make a second clone.`,
		);
	}
	mkdirSync(path.dirname(marker), { recursive: true });
	writeFileSync(marker, JSON.stringify({ pid: process.pid, port }));
	process.once('exit', () => rmSync(marker, { force: true }));
}

/** The npm start that runs already; one that ended without tidying up does not count. */
function running(marker) {
	try {
		const { pid, port } = JSON.parse(readFileSync(marker, 'utf8'));
		process.kill(pid, 0);
		return { pid, port };
	} catch {
		return undefined;
	}
}
