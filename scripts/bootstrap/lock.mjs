import { createHash } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './failure.mjs';
import { ROOT } from './paths.mjs';

const POLL_MS = 500;

/**
 * Acquires a lock that one process of this clone can hold at a time: a socket in Linux's abstract namespace, which disappears
 * with its process, even after kill -9, and leaves no file behind. On other systems, everyone gets the lock.
 * @type {(name: string) => Promise<(() => void) | undefined>} returns a function that releases it; undefined while another process holds it
 */
async function acquire(name) {
	if (process.platform !== 'linux') return () => {};
	const server = net.createServer().unref();
	try {
		await once(server.listen(`\0${createHash('sha256').update(`${ROOT} ${name}`).digest('hex')}`), 'listening');
		return () => void server.close();
	} catch (error) {
		if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EADDRINUSE') return undefined;
		throw error;
	}
}

/**
 * Makes sure that a command runs only once at a time in this clone, until this process ends: two would share n8n's database,
 * and the second would point the first one's credentials at its own sandbox.
 * @type {(command: string, name: string) => Promise<void>} name: the lock's, which says what the command uses
 */
export async function takeLock(command, name) {
	if (await acquire(name)) return;
	throw new Failure(`${command} is already running in this clone. End it with Ctrl-C first, or make a second clone.`);
}

/** Does work under a lock, which it waits for. @type {<T>(name: string, work: () => Promise<T>) => Promise<T>} */
export async function withLock(name, work) {
	let release = await acquire(name);
	if (!release) console.log('  Waiting for another command in this clone that does the same step …');
	for (; !release; release = await acquire(name)) await sleep(POLL_MS);
	try {
		return await work();
	} finally {
		release();
	}
}
