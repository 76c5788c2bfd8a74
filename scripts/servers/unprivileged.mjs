import { chownSync, mkdirSync, mkdtempSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
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
	const [program, ...args] = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--', ...command] : command;
	return [program, args];
}

/**
 * Makes a folder that {@link unprivileged} programs can enter.
 * @param {string} wanted
 * @returns {string} the one that is wanted; where nobody else may enter one above it, as in root's home, a temporary one
 */
export function reachableFolder(wanted) {
	mkdirSync(wanted, { recursive: true });
	return !isRoot || parentsOf(wanted).every(isOpenToAll) ? wanted : mkdtempSync(path.join(os.tmpdir(), 'n8n-nodes-voice-admin-'));
}

const parentsOf = (folder) => (path.dirname(folder) === folder ? [] : [path.dirname(folder), ...parentsOf(path.dirname(folder))]);

const isOpenToAll = (folder) => (statSync(folder).mode & 0o001) !== 0;

/**
 * Gives a file to the account that {@link unprivileged} programs run as.
 * @param {string} file
 */
export function giveToUnprivileged(file) {
	if (isRoot) chownSync(file, NOBODY, NOBODY);
}
