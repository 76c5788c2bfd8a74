import { accessSync, constants, statSync } from 'node:fs';
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
