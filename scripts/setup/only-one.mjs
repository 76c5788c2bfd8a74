import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './failure.mjs';

/**
 * Lets a command run in a clone once at a time: two would share n8n's database, and the second would point
 * the first one's credentials at its own sandbox.
 * @param {string} command as its user types it, such as `npm start`
 * @param {string} lock the file that says that one runs
 */
export function requireToBeTheOnlyOne(command, lock) {
	mkdirSync(path.dirname(lock), { recursive: true });
	const own = `${lock}.${process.pid}`;
	writeFileSync(own, JSON.stringify({ pid: process.pid }));
	try {
		while (!takeLock(own, lock)) {
			const pid = ownerOf(lock);
			if (isRunning(pid)) throw new Failure(`${command} runs in this clone already (process ${pid}). End it with Ctrl-C first, or make a second clone.`);
			removeStale(lock, pid);
		}
	} finally {
		rmSync(own);
	}
	process.once('exit', () => rmSync(lock, { force: true }));
}

/** A link is made with its content or not at all, however many try. */
function takeLock(own, lock) {
	try {
		linkSync(own, lock);
		return true;
	} catch (error) {
		if (error.code === 'EEXIST') return false;
		throw error;
	}
}

/** The process that has the lock; undefined when it was given back meanwhile, or can't be read. */
function ownerOf(lock) {
	try {
		return JSON.parse(readFileSync(lock, 'utf8')).pid;
	} catch {
		return undefined;
	}
}

function isRunning(pid) {
	if (!Number.isInteger(pid)) return false;
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// One of another account.
		return error.code === 'EPERM';
	}
}

/** Takes away the lock of a process that ended without giving it back, unless another process has done so meanwhile. */
function removeStale(lock, pid) {
	const stale = `${lock}.${process.pid}.stale`;
	try {
		renameSync(lock, stale);
	} catch (error) {
		if (error.code === 'ENOENT') return;
		throw error;
	}
	if (ownerOf(stale) !== pid) takeLock(stale, lock);
	rmSync(stale);
}
