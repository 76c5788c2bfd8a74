import { spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { LOGS } from './paths.mjs';
import { OWN_GROUP, signalGroup, startWatchdog, supervise } from './watchdog.mjs';

const GRACE_MS = 5000;
const REPORT_MS = 500;

/**
 * How a program is run.
 * @typedef {{ cwd: string, env: NodeJS.ProcessEnv }} Surroundings
 *
 * log: the log's name; report: told the last line of the output now and then.
 * @typedef {Surroundings & { log: string, report?: (line: string) => void }} LogOptions
 *
 * code: null for a program that a signal has ended; output: stdout and stderr together; log: the log's path.
 * @typedef {{ code: number | null, output: string, log: string }} Ended
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
 * Starts a program with its output in a log file instead of on the screen. It writes to the file itself: of a pipe, one
 * that ends by process.exit may leave unread what is in it.
 * @param {string} program
 * @param {string[]} args
 * @param {LogOptions} options
 * @returns {Started}
 */
export function startLogged(program, args, { log: name, report, ...surroundings }) {
	mkdirSync(LOGS, { recursive: true });
	const log = path.join(LOGS, `${name}.log`);
	// A new file: another program may still write to the one of this name.
	rmSync(log, { force: true });
	const file = openSync(log, 'a+');
	/** @type {string | undefined} */
	let whole;
	const output = () => whole ?? textOf(file);
	const reporting = report && setInterval(() => report(lastLineOf(output())), REPORT_MS);
	const end = () => {
		clearInterval(reporting);
		whole = textOf(file);
		closeSync(file);
		return whole;
	};
	const child = startProcess(program, args, { ...surroundings, stdout: file, stderr: file });
	/** @type {Promise<Ended>} */
	const ended = new Promise((resolve, reject) => {
		child.once('error', (error) => {
			end();
			reject(error);
		});
		child.once('exit', (code) => resolve({ code, output: end(), log }));
	});
	/** @param {NodeJS.Signals} signal */
	const send = (signal) => void (child.pid && running.has(child.pid) && signalGroup(child.pid, signal));
	const stop = async () => {
		send('SIGTERM');
		await ended;
	};
	return { ended, output, log, signal: send, stop };
}

/**
 * What is in a file, whose position is that of who writes to it.
 * @param {number} file
 */
function textOf(file) {
	const content = Buffer.alloc(fstatSync(file).size);
	return content.toString('utf8', 0, readSync(file, content, 0, content.length, 0));
}

/** @param {string} output */
const lastLineOf = (output) => stripVTControlCharacters(output).trimEnd().split('\n').at(-1)?.trim() ?? '';

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
