import { stripVTControlCharacters } from 'node:util';
import { fromRoot } from './paths.mjs';

/** Something the user can understand and mend: shown as its sentence, without a stack. */
export class Failure extends Error {
	/**
	 * @param {string} sentence what happened and what to do about it
	 * @param {{ details?: string | undefined }} [more] details: lines to show above the sentence
	 */
	constructor(sentence, { details } = {}) {
		super(sentence);
		this.name = 'Failure';
		this.details = details;
		// Where an error is shown by its stack, as jest does, the lines come along.
		if (details) this.stack = `${this.name}: ${sentence}\n${details}\n${this.stack?.split('\n').slice(1).join('\n')}`;
	}
}

/**
 * The failure of a program, with the last lines that it printed, or others of them, and its log's name.
 * @param {string} sentence
 * @param {{ output: string, log: string }} result
 * @param {string} [lines]
 */
export function failureOf(sentence, { output, log }, lines = tail(output)) {
	return new Failure(sentence, { details: `${lines}\n(all of it: ${fromRoot(log)})` });
}

/**
 * Prints an error the way its reader needs it: a sentence for a failure that was foreseen, the stack for a bug.
 * @param {unknown} error
 */
export function printFailure(error) {
	if (error instanceof Failure) console.error(`${error.details ? `\n${error.details}\n` : ''}\n${error.message}`);
	else console.error(error);
}

/**
 * The last lines of an output.
 * @param {string} output
 */
export function tail(output, lines = 25) {
	return linesOf(output).slice(-lines).join('\n');
}

/**
 * The first and the last lines of an output, for programs that give the reason first and a lot of help after it.
 * @param {string} output
 */
export function excerpt(output, lines = 12) {
	const all = linesOf(output);
	if (all.length <= 2 * lines) return all.join('\n');
	return [...all.slice(0, lines), '…', ...all.slice(-lines)].join('\n');
}

/** @param {string} output */
const linesOf = (output) => stripVTControlCharacters(output).trimEnd().split('\n');

const UNREACHABLE = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b(?: [\w.:-]+)?/g;

/**
 * What an output is a sign of, and the sentence for it; the first that is found holds.
 * @type {Array<[RegExp, (what: string) => string]>}
 */
const REASONS = [
	[/\bENOSPC\b/, (what) => `The disk is full: ${what} could not be installed. Make room, then run the command again.`],
	[
		/code EUSAGE|ERR_PNPM_OUTDATED_LOCKFILE/,
		(what) => `The lock file for ${what} does not fit its package.json; the lines above say where. Install it again by hand and commit the new lock.`,
	],
	// A native build first tries to download a prebuilt binary and goes on without it, so its errors of connection, which
	// come below, are no reason; what it lacks are the tools.
	[
		/gyp ERR!|node-gyp|ELIFECYCLE/,
		(what) =>
			`Parts of ${what} are compiled on this machine, and that failed. It needs python3, make and g++ ` +
			'(Debian and Ubuntu: apt-get install python3 make g++; macOS: xcode-select --install), then run the command again.',
	],
	[UNREACHABLE, () => ''],
	[/\b(EACCES|EPERM|EROFS)\b/, (what) => `A file in the folder of the clone could not be written while installing ${what}. Check who owns it.`],
	[/^/, (what) => `${what} could not be installed; the lines above say why.`],
];

/**
 * The failure to reach the registry that an output tells of, if it does.
 * @param {string} output of npm or pnpm
 */
export function registryUnreachable(output) {
	// The code stands in several lines, in some of them with the address.
	const reason = output.match(UNREACHABLE)?.reduce((longest, one) => (one.length > longest.length ? one : longest));
	if (reason === undefined) return undefined;
	return new Failure(
		`The npm registry could not be reached (${reason}). Check the network connection, the proxy settings and ` +
			'the answer of `npm config get registry`, then run the command again: it goes on where it stopped.',
	);
}

/**
 * Turns a failed install into a sentence.
 * @param {string} what such as `n8n 2.8.4`
 * @param {{ output: string, log: string }} result
 */
export function installFailure(what, result) {
	const sentence = REASONS.find(([sign]) => result.output.search(sign) >= 0)?.[1](what) ?? '';
	return (sentence === '' && registryUnreachable(result.output)) || failureOf(sentence, result, excerpt(result.output));
}
