import { randomUUID } from 'node:crypto';
import { closeSync, createWriteStream, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { signalGroup, startChild } from './children.mjs';
import { LOGS } from './paths.mjs';

/** Of a long output only the end is kept in memory; the log has all of it. */
const KEPT_CHARACTERS = 200_000;

const endOf = (text) => text.slice(-KEPT_CHARACTERS);

/**
 * Starts a program with its output in a log file instead of on the screen.
 * @param {string} command
 * @param {string[]} args
 * @param {{ log: string, cwd: string, env: NodeJS.ProcessEnv, report?: (line: string) => void, wholeStdout?: boolean }} options
 *   log: the log's name; report: told each line of output; wholeStdout: stdout is wanted to its last byte, at the end.
 *   Otherwise a program that ends by process.exit may leave in the pipe what was not read by then.
 * @returns {{ ended: Promise<Ended>, output: () => string, log: string, pid?: number, signal: (signal: NodeJS.Signals) => void }}
 *   signal: sends a signal to the program and what it has started
 * @typedef {{ code: number | null, stdout: string, output: string, log: string }} Ended the end of stdout, or all of it
 *   where it is wanted; the end of stdout and stderr together
 */
export function startLogged(command, args, { log: name, cwd, env, report, wholeStdout = false }) {
	mkdirSync(LOGS, { recursive: true });
	const log = path.join(LOGS, `${name}.log`);
	let output = '';
	const file = createWriteStream(log);
	// A disk that is full ends the log, and not the command.
	file.once('error', ({ code }) => (output = endOf(`${output}\n(${log} could not be written: ${code})\n`)));
	const take = (text) => {
		file.write(text, () => {});
		output = endOf(output + text);
		const line = stripVTControlCharacters(text).trim().split('\n').at(-1);
		if (line && report) report(line.trim());
	};
	const whole = wholeStdout ? fileForStdout() : undefined;
	const child = startChild(command, args, { cwd, env, stdio: ['ignore', whole?.fd ?? 'pipe', 'pipe'] });
	const ended = new Promise((resolve, reject) => {
		let stdout = '';
		child.stdout?.setEncoding('utf8').on('data', (text) => {
			stdout = endOf(stdout + text);
			take(text);
		});
		child.stderr.setEncoding('utf8').on('data', take);
		child.once('error', reject);
		child.once('close', (code) => {
			if (whole) take((stdout = whole.take()));
			file.end(() => resolve({ code, stdout, output, log }));
		});
	});
	whole?.close();
	return { ended, output: () => output, log, pid: child.pid, signal: (signal) => child.pid && signalGroup(child.pid, signal) };
}

/** A file for a program to write its stdout to: a write to a file is done before the program goes on. */
function fileForStdout() {
	const name = path.join(LOGS, `${randomUUID()}.stdout`);
	const fd = openSync(name, 'w');
	return {
		fd,
		/** The program has it now. */
		close: () => closeSync(fd),
		/** What the program has written; the file goes. */
		take: () => {
			const content = readFileSync(name, 'utf8');
			rmSync(name);
			return content;
		},
	};
}

/** Runs a program to its end, with its output in a log file; see {@link startLogged}. */
export const runLogged = (command, args, options) => startLogged(command, args, options).ended;

/** The last lines of an output, to show with a failure. */
export function tail(output, lines = 25) {
	return linesOf(output).slice(-lines).join('\n');
}

/** The first and the last lines of an output, for programs that give the reason first and a lot of help after it. */
export function excerpt(output, lines = 12) {
	const all = linesOf(output);
	if (all.length <= 2 * lines) return all.join('\n');
	return [...all.slice(0, lines), '…', ...all.slice(-lines)].join('\n');
}

function linesOf(output) {
	return stripVTControlCharacters(output).trimEnd().split('\n');
}
