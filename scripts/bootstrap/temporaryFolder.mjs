import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import path from 'node:path';

/** Those in use. @type {Set<string>} */
const folders = new Set();

const remove = (/** @type {string} */ folder) => rmSync(folder, { recursive: true, force: true });

// A command that is stopped exits in the middle of its work, whose `finally` then doesn't run.
process.on('exit', () => folders.forEach(remove));

/**
 * Does work in a new folder, which is removed afterwards, and when the command is stopped.
 * @type {<T>(prefix: string, work: (folder: string) => Promise<T>) => Promise<T>} prefix: of the folder's path
 */
export async function withTemporaryFolder(prefix, work) {
	await mkdir(path.dirname(prefix), { recursive: true });
	const folder = await mkdtemp(prefix);
	folders.add(folder);
	try {
		return await work(folder);
	} finally {
		remove(folder);
		folders.delete(folder);
	}
}
