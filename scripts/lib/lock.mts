import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';

/**
 * Lets a command run in a clone once at a time: two would share n8n's database, and the second would point
 * the first one's credentials at its own sandbox. The lock of a process that was killed counts for nothing.
 * @param command as its user types it, such as `npm start`
 * @param lock the file that says that one runs; goes when this process ends
 */
export function takeLock(command: string, lock: string): void {
	mkdirSync(path.dirname(lock), { recursive: true });
	const own = `${lock}.${process.pid}`;
	writeFileSync(own, JSON.stringify({ pid: process.pid }));
	try {
		while (!tryLock(own, lock)) {
			const pid = ownerOf(lock);
			if (isRunning(pid)) throw new Failure(`${command} is already running in this clone (process ${pid}). End it with Ctrl-C first, or make a second clone.`);
			removeStale(lock, pid);
		}
	} finally {
		rmSync(own);
	}
	process.once('exit', () => rmSync(lock, { force: true }));
}

/** A link is made with its content or not at all, however many try. */
function tryLock(own: string, lock: string): boolean {
	try {
		linkSync(own, lock);
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
		throw error;
	}
}

/** The process that has the lock; undefined when it was given back meanwhile, or can't be read. */
function ownerOf(lock: string): number | undefined {
	try {
		return (JSON.parse(readFileSync(lock, 'utf8')) as { pid?: number }).pid;
	} catch {
		return undefined;
	}
}

function isRunning(pid: number | undefined): boolean {
	if (pid === undefined || !Number.isInteger(pid)) return false;
	try {
		return process.kill(pid, 0);
	} catch (error) {
		// One of another account.
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

/** Takes away the lock of a process that ended without giving it back, unless another process has done so meanwhile. */
function removeStale(lock: string, pid: number | undefined): void {
	const stale = `${lock}.${process.pid}.stale`;
	try {
		renameSync(lock, stale);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
		throw error;
	}
	if (ownerOf(stale) !== pid) tryLock(stale, lock);
	rmSync(stale);
}
