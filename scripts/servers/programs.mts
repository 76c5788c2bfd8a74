import { spawnSync } from 'node:child_process';
import { Failure } from '../bootstrap/failure.mjs';

/** Finds the first of several programs that is on the PATH. @returns its path */
export function findProgram(...names: string[]): string | undefined {
	const { stdout } = spawnSync('/bin/sh', ['-c', 'for name; do command -v "$name" && exit; done', 'sh', ...names], {
		encoding: 'utf8',
	});
	return stdout.trim() || undefined;
}

const HOW_TO_GET_CHROMIUM =
	'On Debian: apt-get install chromium. Elsewhere, install Google Chrome (on Ubuntu, Chromium is a snap, which may not work here). ' +
	'If it is not on the PATH: CHROMIUM=/path/to/chrome npm run e2e:browser';

/** Finds Chromium or Chrome. @returns its path @throws {Failure} that says how to install one */
export function findChromium(): string {
	const variable = process.env.CHROMIUM;
	if (variable && !findProgram(variable)) {
		throw new Failure(`CHROMIUM is ${variable}, which is not a program that can be run. ${HOW_TO_GET_CHROMIUM}`);
	}
	// The names in Linux distributions and in Google's packages.
	const program = variable || findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
	if (program) return program;
	throw new Failure(`Neither Chromium nor Chrome was found, and the browser tests need one. ${HOW_TO_GET_CHROMIUM}`);
}
