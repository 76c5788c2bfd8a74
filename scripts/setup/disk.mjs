import { statfs } from 'node:fs/promises';
import { Failure } from './failure.mjs';
import { ROOT } from './paths.mjs';

/**
 * Refuses a long install that the disk has no room for.
 * @param {string} what
 * @param {number} gigabytes
 */
export async function requireDiskSpace(what, gigabytes) {
	const { bavail, bsize } = await statfs(ROOT);
	const free = (bavail * bsize) / 1e9;
	if (free < gigabytes) {
		throw new Failure(`The disk has ${free.toFixed(1)} GB free, and ${what} needs about ${gigabytes} GB. Make room, then run the command again.`);
	}
}
