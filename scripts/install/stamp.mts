import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withLock } from '../bootstrap/lock.mjs';

/** Hashes files and folders by path and content; missing ones are skipped. @param names relative to root */
export function hashOf(root: string, names: string[]): string {
	const hash = createHash('sha256');
	const add = (name: string) => {
		const file = path.join(root, name);
		const stat = statSync(file, { throwIfNoEntry: false });
		if (!stat) return;
		if (stat.isDirectory()) {
			for (const entry of readdirSync(file).sort()) add(path.posix.join(name, entry));
		} else {
			hash.update(`${name}\0${stat.size}\0`).update(readFileSync(file));
		}
	};
	for (const name of names) add(name);
	return hash.digest('hex');
}

/**
 * Does a piece of work, unless a stamp file says that it was finished for the same input. The file is removed before the work
 * and written after it, so interrupted work is done again. If two commands need the same work, only one does it.
 * @param getOutput called again after the work. The input isn't: what is saved during the work is for the next time
 * @param use what is done with the output before another command may replace it
 */
export async function runUnlessDone<T = void>(
	file: string,
	getInput: () => string,
	work: () => Promise<void>,
	getOutput = () => '',
	use?: () => Promise<T>,
): Promise<T | undefined> {
	return await withLock(file, async () => {
		const input = getInput();
		if (!existsSync(file) || readFileSync(file, 'utf8') !== input + getOutput()) {
			rmSync(file, { force: true });
			await work();
			mkdirSync(path.dirname(file), { recursive: true });
			writeFileSync(file, input + getOutput());
		}
		return await use?.();
	});
}
