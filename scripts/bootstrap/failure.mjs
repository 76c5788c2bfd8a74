import { stripVTControlCharacters } from 'node:util';
import { fromRoot } from './paths.mjs';

const SHOWN_LINES = 25;

/** Something the user can understand and mend: shown as its sentence, without a stack. */
export class Failure extends Error {
	/** @param {string} sentence what happened and what to do about it @param {string} [details] lines to show above it */
	constructor(sentence, details) {
		super(sentence);
		this.name = 'Failure';
		this.details = details;
		// Where an error is shown by its stack, as jest does, the lines come along.
		if (details) this.stack = `${this.name}: ${sentence}\n${details}\n${this.stack?.split('\n').slice(1).join('\n')}`;
	}
}

/** What a program printed, and the path of its log. @typedef {{ output: string, log: string }} Result */

/** The failure of a program, with the last lines that it printed. @type {(sentence: string, result: Result) => Failure} */
export function failureOf(sentence, { output, log }) {
	const lines = stripVTControlCharacters(output).trimEnd().split('\n').slice(-SHOWN_LINES);
	return new Failure(sentence, `${lines.join('\n')}\n(all of it: ${fromRoot(log)})`);
}

/** Prints an error the way its reader needs it: a sentence for a failure that was foreseen, the stack for a bug. @param {unknown} error */
export function printFailure(error) {
	if (error instanceof Failure) console.error(`${error.details ? `\n${error.details}\n` : ''}\n${error.message}`);
	else console.error(error);
}

const UNREACHABLE = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b/;

/** What a failed install of such as `n8n 2.8.4` means to its user. @type {(what: string, result: Result) => Failure} */
export function installFailure(what, result) {
	// A native build first tries to download a prebuilt binary and goes on without it, so its errors of connection are no reason.
	if (/gyp ERR!|node-gyp|ELIFECYCLE/.test(result.output)) {
		return failureOf(
			`Parts of ${what} are compiled on this machine, and that failed. It needs python3, make and g++ ` +
				'(Debian and Ubuntu: apt-get install python3 make g++), then run the command again.',
			result,
		);
	}
	const reason = UNREACHABLE.exec(result.output)?.[0];
	if (reason === undefined) return failureOf(`${what} could not be installed; the lines above say why.`, result);
	return new Failure(
		`The npm registry could not be reached (${reason}). Check the network connection, the proxy settings and ` +
			'the answer of `npm config get registry`, then run the command again: it goes on where it stopped.',
	);
}
