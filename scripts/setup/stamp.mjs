import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * A hash of files and folders by path and content; what does not exist counts as absent.
 * @param {string} root
 * @param {string[]} names relative to root
 */
export function hashOf(root, names) {
	const hash = createHash('sha256');
	const add = (name) => {
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
 * A note that a piece of work was finished, and for which input. Taken away before the work starts, written
 * after it: work that was interrupted leaves none.
 * @param {string} file
 */
export function stamp(file) {
	return {
		matches(value) {
			try {
				return readFileSync(file, 'utf8') === value;
			} catch {
				return false;
			}
		},
		clear() {
			rmSync(file, { force: true });
		},
		write(value) {
			mkdirSync(path.dirname(file), { recursive: true });
			writeFileSync(file, value);
		},
	};
}
