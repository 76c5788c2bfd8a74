import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
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
	mkdirSync(path.dirname(prefix), { recursive: true });
	const folder = mkdtempSync(prefix);
	folders.add(folder);
	return await work(folder).finally(() => (remove(folder), folders.delete(folder)));
}
