import { accessSync, chownSync, constants, mkdirSync, mkdtempSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The folders in which a shell looks for programs. */
export const pathFolders = () => (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);

/** The first folder that has all of some programs, which belong together. */
export function folderOf(names: string[], folders = pathFolders()): string | undefined {
	return folders.find((folder) => names.every((name) => isExecutable(path.join(folder, name))));
}

/** Whether a path is that of a program that can be run. */
export function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile();
	} catch {
		return false;
	}
}

/** The account `nobody`, by its number on Linux. */
const NOBODY = 65534;

const isRoot = process.getuid?.() === 0;

/** Whether a program that refuses to run as root can be run by the account that runs this. */
export const canRunUnprivileged = () => !isRoot || folderOf(['setpriv']) !== undefined;

/** Of a command, the one that runs it as somebody else than root, with the same process id: its program, and its arguments. */
export function unprivileged(command: [string, ...string[]]): [string, string[]] {
	const [program, ...args] = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--', ...command] as const : command;
	return [program, args];
}

/**
 * Makes a folder that {@link unprivileged} programs can enter.
 * @returns the one that is wanted; where nobody else may enter one above it, as in root's home, a temporary one
 */
export function reachableFolder(wanted: string): string {
	mkdirSync(wanted, { recursive: true });
	return !isRoot || parentsOf(wanted).every(isOpenToAll) ? wanted : mkdtempSync(path.join(os.tmpdir(), 'n8n-nodes-voice-admin-'));
}

const parentsOf = (folder: string): string[] => (path.dirname(folder) === folder ? [] : [path.dirname(folder), ...parentsOf(path.dirname(folder))]);

const isOpenToAll = (folder: string) => (statSync(folder).mode & 0o001) !== 0;

/** Gives a file to the account that {@link unprivileged} programs run as. */
export function giveToUnprivileged(file: string): void {
	if (isRoot) chownSync(file, NOBODY, NOBODY);
}
