import path from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { isExecutable, pathFolders } from './programs.mts';

/** As Linux distributions and Google name the command. */
const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Where the installers of macOS and Windows put it, which is not on the PATH. */
const INSTALLED: Partial<Record<NodeJS.Platform, () => string[]>> = {
	darwin: () => ['/Applications/Chromium.app/Contents/MacOS/Chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
	win32: () =>
		[process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].flatMap((folder) =>
			folder ? ['Chromium', path.join('Google', 'Chrome')].map((name) => path.join(folder, name, 'Application', 'chrome.exe')) : [],
		),
};

const HOW_TO_GET_IT =
	'On Debian: apt-get install chromium. Elsewhere install Google Chrome (Chromium is a snap on Ubuntu, which may not work here); ' +
	'where it is not found by itself, say where it is: CHROMIUM=/path/to/chrome npm run e2e:browser';

/**
 * The Chromium, or Chrome, of this machine.
 * @returns its path
 * @throws {Failure} that says how to get one
 */
export function findChromium(): string {
	const given = process.env.CHROMIUM;
	if (given) {
		if (isExecutable(given)) return given;
		throw new Failure(`CHROMIUM is ${given}, which is not a program that can be run. Give it the path of Chromium or Chrome, or leave it out. ${HOW_TO_GET_IT}`);
	}
	const places = [...pathFolders().flatMap((folder) => COMMANDS.map((command) => path.join(folder, command))), ...(INSTALLED[process.platform]?.() ?? [])];
	const found = places.find(isExecutable);
	if (!found) throw new Failure(`Neither Chromium nor Chrome was found, and the browser tests need one. ${HOW_TO_GET_IT}`);
	return found;
}
