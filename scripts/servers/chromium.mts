import path from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { isExecutable, pathFolders } from './programs.mts';

/** As Linux distributions and Google name the command. */
const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

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
	const places = given ? [given] : pathFolders().flatMap((folder) => COMMANDS.map((command) => path.join(folder, command)));
	const found = places.find(isExecutable);
	if (found) return found;
	throw new Failure(given ? `CHROMIUM is ${given}, which is not a program that can be run. ${HOW_TO_GET_IT}` : `Neither Chromium nor Chrome was found, and the browser tests need one. ${HOW_TO_GET_IT}`);
}
