import { accessSync, constants } from 'node:fs';
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

function isExecutable(file) {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
