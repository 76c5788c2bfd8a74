import { createHash } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './failure.mjs';
import { ROOT } from './paths.mjs';

const POLL_MS = 500;

/**
 * Takes a name that one process of this clone can have at a time, by listening on a socket of Linux's abstract namespace:
 * it goes with its process, however that ends, and leaves no file behind. On other systems everybody gets the name.
 * @type {(name: string) => Promise<(() => void) | undefined>} gives what gives the name back; undefined while another process has it
 */
async function take(name) {
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
 * Lets a command run in a clone once at a time: two would share n8n's database, and the second would point the first
 * one's credentials at its own sandbox.
 * @type {(command: string, name: string) => Promise<void>} name: of what it uses until this process ends
 */
export async function takeLock(command, name) {
	if (await take(name)) return;
	throw new Failure(`${command} is already running in this clone. End it with Ctrl-C first, or make a second clone.`);
}

/** Does the work of a name, after another process of this clone that does it. @type {(name: string, work: () => Promise<void>) => Promise<void>} */
export async function inTurn(name, work) {
	let giveBack = await take(name);
	if (!giveBack) console.log('  Waiting for another command of this clone, which is at the same …');
	for (; !giveBack; giveBack = await take(name)) await sleep(POLL_MS);
	try {
		await work();
	} finally {
		giveBack();
	}
}
