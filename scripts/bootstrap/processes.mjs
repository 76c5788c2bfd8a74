import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, createWriteStream, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { LOGS } from './paths.mjs';
import { OWN_GROUP, signalGroup, startWatchdog, supervise } from './watchdog.mjs';

/** Of a long output only the end is kept in memory; the log has all of it. */
const KEPT_CHARACTERS = 200_000;
const GRACE_MS = 5000;

/**
 * How a program is run.
 * @typedef {{ cwd: string, env: NodeJS.ProcessEnv }} Surroundings
 *
 * log: the log's name; report: told the last line of each piece of output; wholeStdout: stdout is wanted to its last byte,
 * at the end. Otherwise a program that ends by process.exit may leave in the pipe what was not read by then.
 * @typedef {Surroundings & { log: string, report?: (line: string) => void, wholeStdout?: boolean }} LogOptions
 *
 * code: null for a program that a signal has ended; stdout: the end of it, or all where it is wanted; output: the end of
 * stdout and stderr together; log: the log's path.
 * @typedef {{ code: number | null, stdout: string, output: string, log: string }} Ended
 *
 * output: as in Ended, so far; signal: sends one to the program and whatever it has started; stop: asks the program to end,
 * and waits until it has.
 * @typedef {{ ended: Promise<Ended>, output: () => string, log: string, signal: (signal: NodeJS.Signals) => void, stop: () => Promise<void> }} Started
 */

/** @type {Map<number, Promise<void>>} */
const running = new Map();

/**
 * Starts a program that will not outlive this process, however this process ends.
 * @param {string} program
 * @param {string[]} args
 * @param {Surroundings & Record<'stdout' | 'stderr', 'ignore' | 'inherit' | 'pipe' | number>} options
 */
export function startProcess(program, args, { cwd, env, stdout, stderr }) {
	startWatchdog();
	const child = spawn(program, args, { cwd, env, stdio: ['ignore', stdout, stderr], detached: OWN_GROUP, windowsHide: true });
	const { pid } = child;
	if (pid !== undefined) {
		const ended = supervise(pid);
		/** @type {Promise<void>} */
		const exit = new Promise((resolve) => {
			child.once('exit', () => {
				// Whatever the child left behind goes with it.
				if (OWN_GROUP) signalGroup(pid, 'SIGKILL');
				ended();
				running.delete(pid);
				resolve();
			});
		});
		running.set(pid, exit);
	}
	return child;
}

/**
 * Runs a program on the screen.
 * @param {Parameters<typeof startProcess>} program
 * @returns {Promise<number | null>} its exit code
 */
export async function runProcess(...program) {
	const child = startProcess(...program);
	return await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
}

/**
 * Starts a program with its output in a log file instead of on the screen.
 * @param {string} program
 * @param {string[]} args
 * @param {LogOptions} options
 * @returns {Started}
 */
export function startLogged(program, args, { log: name, report, wholeStdout, ...surroundings }) {
	mkdirSync(LOGS, { recursive: true });
	const log = path.join(LOGS, `${name}.log`);
	let stdout = '';
	let output = '';
	const file = createWriteStream(log);
	// A disk that is full ends the log, and not the command.
	file.once('error', (error) => (output = endOf(`${output}\n(${log} could not be written: ${/** @type {NodeJS.ErrnoException} */ (error).code})\n`)));
	/** @param {string} text */
	const take = (text) => {
		file.write(text, () => {});
		output = endOf(output + text);
		const line = stripVTControlCharacters(text).trim().split('\n').at(-1)?.trim();
		if (line) report?.(line);
	};
	// A write to a file is done before the program goes on.
	const whole = wholeStdout ? path.join(LOGS, `${randomUUID()}.stdout`) : undefined;
	const descriptor = whole ? openSync(whole, 'w') : undefined;
	const child = startProcess(program, args, { ...surroundings, stdout: descriptor ?? 'pipe', stderr: 'pipe' });
	if (descriptor !== undefined) closeSync(descriptor);
	child.stdout?.setEncoding('utf8').on('data', (text) => {
		stdout = endOf(stdout + text);
		take(text);
	});
	child.stderr?.setEncoding('utf8').on('data', take);
	/** @type {Promise<Ended>} */
	const ended = new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code) => {
			if (whole) {
				take((stdout = readFileSync(whole, 'utf8')));
				rmSync(whole);
			}
			file.end(() => resolve({ code, stdout, output, log }));
		});
	});
	/** @param {NodeJS.Signals} signal */
	const send = (signal) => void (child.pid && running.has(child.pid) && signalGroup(child.pid, signal));
	const stop = async () => {
		send('SIGTERM');
		await ended;
	};
	return { ended, output: () => output, log, signal: send, stop };
}

/**
 * Runs a program to its end, with its output in a log file; see {@link startLogged}.
 * @param {Parameters<typeof startLogged>} program
 */
export const runLogged = async (...program) => await startLogged(...program).ended;

/**
 * Runs npm to its end, with its output in a log file: the npm that runs us, where there is one, because its path works on every system.
 * @param {string[]} args
 * @param {LogOptions} options
 */
export async function npm(args, options) {
	const cli = process.env.npm_execpath;
	return await (cli && /npm-cli\.c?js$/.test(cli) ? runLogged(process.execPath, [cli, ...args], options) : runLogged('npm', args, options));
}

/** Asks all processes to end, and makes those end that don't within a few seconds. */
export async function stopProcesses() {
	const ended = Promise.all(running.values());
	for (const pid of running.keys()) signalGroup(pid, 'SIGTERM');
	await Promise.race([ended, sleep(GRACE_MS, undefined, { ref: false })]);
	killProcesses();
	await ended;
}

/** Ends all processes at once, without asking. */
export function killProcesses() {
	for (const pid of running.keys()) signalGroup(pid, 'SIGKILL');
}

/** @param {string} text */
const endOf = (text) => text.slice(-KEPT_CHARACTERS);
