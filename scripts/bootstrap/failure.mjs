import { stripVTControlCharacters } from 'node:util';
import { formatPath } from './paths.mjs';

const MAX_LINES = 25;

/** An expected error that the user can fix: printed as its sentence, without a stack. */
export class Failure extends Error {
	/** @param {string} sentence what happened and what to do about it @param {string} [details] lines to show above it */
	constructor(sentence, details) {
		super(sentence);
		this.name = 'Failure';
		this.details = details;
		// jest prints an error's stack: put the details there too.
		if (details) this.stack = `${this.name}: ${sentence}\n${details}\n${this.stack?.split('\n').slice(1).join('\n')}`;
	}
}

/** What a program printed, and the path of its log file. @typedef {{ output: string, log: string }} ProgramOutput */

/** A failure that shows the last lines that a program printed. @type {(sentence: string, result: ProgramOutput) => Failure} */
export function createFailure(sentence, { output, log }) {
	const lines = stripVTControlCharacters(output).trimEnd().split('\n').slice(-MAX_LINES);
	return new Failure(sentence, `${lines.join('\n')}\n(full log: ${formatPath(log)})`);
}

/** Prints a Failure as its sentence, and any other error, a bug, with its stack. @param {unknown} error */
export function printFailure(error) {
	if (error instanceof Failure) console.error(`${error.details ? `\n${error.details}\n` : ''}\n${error.message}`);
	else console.error(error);
}

/** Says why an install failed. @param subject e.g. `n8n 2.8.4` @type {(subject: string, result: ProgramOutput) => Failure} */
export function toInstallFailure(subject, result) {
	if (result.output.includes('gyp ERR!')) {
		return createFailure(
			`Parts of ${subject} are compiled on this machine, and that failed. It needs python3, make and g++ ` +
				'(Debian and Ubuntu: apt-get install python3 make g++), then run the command again.',
			result,
		);
	}
	return createFailure(`${subject} could not be installed; the lines above say why.`, result);
}
