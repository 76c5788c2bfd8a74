import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, mkdirSync, openSync, readSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installEnvironment } from './environment.mjs';
import { failureOf } from './failure.mjs';
import { LOGS, ROOT } from './paths.mjs';

/** @typedef {{ cwd: string, env: NodeJS.ProcessEnv }} Surroundings of a program */
/** @typedef {Surroundings & { log: string, stderr?: 'inherit' }} LogOptions log: the log's name; stderr: errors on the screen instead */
/** @typedef {{ code: number | null, output: string, log: string }} Ended code: null after a signal; output: with stderr; log: its path */
/**
 * output: so far; signal: sends one to the program and whatever it has started; stop: asks it to end, and waits until it has
 * @typedef {{ pid: number, ended: Promise<Ended>, output: () => string, log: string }} Running
 * @typedef {Running & { signal: (signal: NodeJS.Signals) => void, stop: () => Promise<void> }} Started
 */

const GRACE_MS = 5000;

/**
 * Becomes the program that it is given. Before that it starts a shell that waits until the pipe to this process closes,
 * which it does however we end (kill -9, an out-of-memory kill), and ends the program's group then.
 */
const LEASH = `(trap '' INT TERM HUP; read -r _ <&3; kill -TERM 0; sleep 3; kill -KILL 0) >/dev/null 2>&1 & exec "$@" 3<&-`;

/** The end of each program that runs, by its pid. @type {Map<number, Promise<number | null>>} */
const running = new Map();

/**
 * Starts a program that will not outlive this process, however this process ends. It leads a process group of its own, so
 * that a signal reaches whatever it has started in turn (n8n starts task runners, pnpm starts compilers) and the terminal's
 * Ctrl-C reaches only us, who then end all of them in order. Gives its pid and, when it ends, its exit code.
 * @param {string} program
 * @param {string[]} args
 * @param {Surroundings & Record<'stdout' | 'stderr', 'ignore' | 'inherit' | number>} options
 */
function startProcess(program, args, { cwd, env, stdout, stderr }) {
	const child = spawn('/bin/sh', ['-c', LEASH, 'sh', program, ...args], { cwd, env, stdio: ['ignore', stdout, stderr, 'pipe'], detached: true });
	const leash = /** @type {import('node:net').Socket} */ (child.stdio[3]);
	leash.on('error', () => {}).unref();
	const pid = /** @type {number} */ (child.pid);
	const ended = once(child, 'exit').then(([code]) => {
		// Whatever the child left behind goes with it.
		signalGroup(pid, 'SIGKILL');
		running.delete(pid);
		return code;
	});
	running.set(pid, ended);
	return { pid, ended };
}

/** Sends a signal to a program that runs, and to whatever it has started. @type {(pid: number, signal: NodeJS.Signals) => void} */
function signalGroup(pid, signal) {
	if (!running.has(pid)) return;
	try {
		process.kill(-pid, signal);
	} catch {
		// There is nobody left.
	}
}

/** Runs a program on the screen, and gives its exit code. @type {(...program: Parameters<typeof startProcess>) => Promise<number | null>} */
export const runProcess = async (...program) => await startProcess(...program).ended;

/**
 * Starts a program with its output in a log file instead of on the screen. It writes to the file itself: of a pipe, one
 * that ends by process.exit may leave unread what is in it.
 * @type {(program: string, args: string[], options: LogOptions) => Started}
 */
export function startLogged(program, args, { log: name, stderr, ...surroundings }) {
	mkdirSync(LOGS, { recursive: true });
	const log = path.join(LOGS, `${name}.log`);
	// A new file: another program may still write to the one of this name.
	rmSync(log, { force: true });
	const file = openSync(log, 'a+');
	/** @type {string | undefined} */
	let whole;
	const output = () => whole ?? textOf(file);
	const { pid, ended: exited } = startProcess(program, args, { ...surroundings, stdout: file, stderr: stderr ?? file });
	const ended = exited.then((code) => ({ code, output: (whole = textOf(file)), log })).finally(() => closeSync(file));
	const stop = async () => {
		signalGroup(pid, 'SIGTERM');
		await ended;
	};
	return { pid, ended, output, log, signal: (signal) => signalGroup(pid, signal), stop };
}

/** What is in a file, whose position is that of who writes to it. @param {number} file */
function textOf(file) {
	const content = Buffer.alloc(fstatSync(file).size);
	return content.toString('utf8', 0, readSync(file, content, 0, content.length, 0));
}

/**
 * Runs a program that has to succeed, as {@link startLogged}, and gives its output.
 * @type {(program: string, args: string[], options: LogOptions, failure: string | ((result: Ended) => Error)) => Promise<string>}
 * failure: what is thrown otherwise, or its sentence
 */
export async function runOrFail(program, args, options, failure) {
	const result = await startLogged(program, args, options).ended;
	if (result.code === 0) return result.output;
	throw typeof failure === 'string' ? failureOf(failure, result) : failure(result);
}

/**
 * Runs npm as {@link runOrFail}, in the clone unless told. @type {(args: string[], options: { log: string, cwd?: string },
 * failure: Parameters<typeof runOrFail>[3]) => Promise<string>}
 */
export const runNpm = (args, { log, cwd = ROOT }, failure) => runOrFail('npm', args, { log, cwd, env: installEnvironment() }, failure);

/** Asks all processes to end, and makes those end that don't within a few seconds. */
export async function stopProcesses() {
	const ended = Promise.allSettled(running.values());
	for (const pid of running.keys()) signalGroup(pid, 'SIGTERM');
	await Promise.race([ended, sleep(GRACE_MS, undefined, { ref: false })]);
	killProcesses();
	await ended;
}

/** Ends all processes at once, without asking. */
export function killProcesses() {
	for (const pid of running.keys()) signalGroup(pid, 'SIGKILL');
}
