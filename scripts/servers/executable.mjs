import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** The folders in which a shell looks for programs. */
export const pathFolders = () => (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);

/**
 * Finds programs that belong together.
 * @param {string[]} names
 * @param {string[]} [folders]
 * @returns {string | undefined} the first folder that has all of them
 */
export function folderOf(names, folders = pathFolders()) {
	return folders.find((folder) => names.every((name) => isExecutable(path.join(folder, name))));
}

/** Whether a path is that of a program that can be run. */
export function isExecutable(file) {
	try {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile();
	} catch {
		return false;
	}
}
