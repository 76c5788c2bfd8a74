import { chownSync } from 'node:fs';
import { folderOf } from './executable.mjs';

/** The account `nobody`, by its number on Linux. */
const NOBODY = 65534;

const isRoot = process.getuid?.() === 0;

/** Whether a program that refuses to run as root can be run by the account that runs this. */
export const canRunUnprivileged = () => !isRoot || folderOf(['setpriv']) !== undefined;

/**
 * Of a command, the one that runs it as somebody else than root, with the same process id.
 * @param {string[]} command program and arguments
 * @returns {[string, string[]]} program; arguments
 */
export function unprivileged(command) {
	const [program, ...args] = isRoot
		? [
				'setpriv',
				`--reuid=${NOBODY}`,
				`--regid=${NOBODY}`,
				'--clear-groups',
				// A clone in root's own home is in a folder that nobody else may enter.
				'--inh-caps=+dac_override',
				'--ambient-caps=+dac_override',
				'--',
				...command,
			]
		: command;
	return [program, args];
}

/**
 * Gives a file to the account that {@link unprivileged} programs run as.
 * @param {string} file
 */
export function giveToUnprivileged(file) {
	if (isRoot) chownSync(file, NOBODY, NOBODY);
}
