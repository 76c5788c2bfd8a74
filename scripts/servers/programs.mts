import { spawnSync } from 'node:child_process';
import { Failure } from '../bootstrap/failure.mjs';

/** The first of some programs that this machine has, looked for as a shell does. @returns its path */
export function findProgram(...names: string[]): string | undefined {
	const { stdout } = spawnSync('/bin/sh', ['-c', 'for name; do command -v "$name" && exit; done', 'sh', ...names], { encoding: 'utf8' });
	return stdout.trim() || undefined;
}

const HOW_TO_GET_CHROMIUM =
	'On Debian: apt-get install chromium. Elsewhere install Google Chrome (Chromium is a snap on Ubuntu, which may not work here); ' +
	'where it is not found by itself, say where it is: CHROMIUM=/path/to/chrome npm run e2e:browser';

/** The Chromium, or Chrome, of this machine. @returns its path @throws {Failure} that says how to get one */
export function findChromium(): string {
	const given = process.env.CHROMIUM;
	if (given && !findProgram(given)) {
		throw new Failure(`CHROMIUM is ${given}, which is not a program that can be run. ${HOW_TO_GET_CHROMIUM}`);
	}
	// As Linux distributions and Google name the command.
	const found = given || findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
	if (found) return found;
	throw new Failure(`Neither Chromium nor Chrome was found, and the browser tests need one. ${HOW_TO_GET_CHROMIUM}`);
}
