import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, mkdirSync, openSync, readSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createInstallEnv } from './environment.mjs';
import { createFailure, Failure } from './failure.mjs';
import { LOGS, ROOT } from './paths.mjs';

/** @typedef {{ cwd: string, env: NodeJS.ProcessEnv }} ProcessOptions of a program */
/**
 * log: the log file's name; stderr: on the terminal, not in the log
 * @typedef {ProcessOptions & { log: string, stderr?: 'inherit' }} LogOptions
 */
/** @typedef {{ code: number | null, output: string, log: string }} ProcessResult code: null after a signal; log: path */
/**
 * readOutput: so far; signal: sends a signal to the program's process group; stop: see stopProcesses
 * @typedef {{ pid: number, exit: Promise<ProcessResult>, readOutput: () => string, log: string,
 *   signal: (signal: NodeJS.Signals) => void, stop: () => Promise<void> }} RunningProcess
 */

/** Between SIGTERM and SIGKILL; longer than N8N_GRACEFUL_SHUTDOWN_TIMEOUT. */
const GRACE_SECONDS = 5;

/**
 * A shell script that execs a program. In the background it waits for the pipe from this process to close, which happens
 * however this process ends (kill -9, out of memory), and then ends the program's process group.
 */
const END_WITH_PARENT = `(trap '' INT TERM HUP; read -r _ <&3; kill -TERM 0; sleep ${GRACE_SECONDS}; kill -KILL 0) >/dev/null 2>&1 & exec "$@" 3<&-`;

/** The exit codes of the running programs, by pid. @type {Map<number, Promise<number | null>>} */
const runningProcesses = new Map();
let isStopping = false;

/** Lets no program start any more: the work of a command that is being stopped goes on until the command exits. */
export const refuseProcesses = () => void (isStopping = true);

/**
 * Starts a program that doesn't outlive this process, however this process ends. It leads its own process group: a signal to
 * the group also reaches its children (n8n starts task runners, pnpm starts compilers), and the terminal's Ctrl-C reaches only
 * this process, which then lets all of them end properly. Returns its pid and a promise of its exit code.
 * @param {string} program
 * @param {string[]} args
 * @param {ProcessOptions & Record<'stdout' | 'stderr', 'ignore' | 'inherit' | number>} options
 */
function startProcess(program, args, { cwd, env, stdout, stderr }) {
	if (isStopping) throw new Failure(`${program} was not started: the command is being stopped.`);
	const child = spawn('/bin/sh', ['-c', END_WITH_PARENT, 'sh', program, ...args], {
		cwd,
		env,
		stdio: ['ignore', stdout, stderr, 'pipe'],
		detached: true,
	});
	const parentPipe = /** @type {import('node:net').Socket} */ (child.stdio[3]);
	parentPipe.on('error', () => {}).unref();
	const pid = /** @type {number} */ (child.pid);
	const exitCode = once(child, 'exit').then(([code]) => {
		// Its children may still run.
		signalGroup(pid, 'SIGKILL');
		runningProcesses.delete(pid);
		return code;
	});
	runningProcesses.set(pid, exitCode);
	return { pid, exitCode };
}

/** Sends a signal to the process group of a running program. @type {(pid: number, signal: NodeJS.Signals) => void} */
function signalGroup(pid, signal) {
	if (!runningProcesses.has(pid)) return;
	try {
		process.kill(-pid, signal);
	} catch {
		// ESRCH: the group has ended.
	}
}

/** Runs a program to its end, and returns its exit code. @type {(...program: Parameters<typeof startProcess>) => Promise<number | null>} */
export const runProcess = async (...program) => await startProcess(...program).exitCode;

/**
 * Starts a program with its output in a log file. The program writes to the file directly: through a pipe, output could be
 * lost when it calls process.exit.
 * @type {(program: string, args: string[], options: LogOptions) => RunningProcess}
 */
export function startWithLog(program, args, { log: name, stderr, ...processOptions }) {
	mkdirSync(LOGS, { recursive: true });
	const log = path.join(LOGS, `${name}.log`);
	// A new file: another program may still be writing to the old one.
	rmSync(log, { force: true });
	const file = openSync(log, 'a+');
	/** @type {string | undefined} */
	let output;
	const readOutput = () => output ?? readAll(file);
	const { pid, exitCode } = startProcess(program, args, { ...processOptions, stdout: file, stderr: stderr ?? file });
	const exit = exitCode
		.then((code) => ({ code, output: (output = readAll(file)), log }))
		.finally(() => closeSync(file));
	const stop = async () => {
		await stopProcesses([pid]);
		await exit;
	};
	return { pid, exit, readOutput, log, signal: (signal) => signalGroup(pid, signal), stop };
}

/** Reads a file from its start, without moving the position at which the program writes. @param {number} file */
function readAll(file) {
	const content = Buffer.alloc(fstatSync(file).size);
	return content.toString('utf8', 0, readSync(file, content, 0, content.length, 0));
}

let runCount = 0;

/**
 * Runs a program like {@link startWithLog}, and returns its output. Throws if the exit code isn't 0. Its log has a name of its
 * own, as the same program may run in parallel, and is removed if it succeeds.
 * @type {(program: string, args: string[], options: LogOptions, failure: string | ((result: ProcessResult) => Error)) => Promise<string>}
 * failure: the error, or its message
 */
export async function runOrFail(program, args, options, failure) {
	const log = `${options.log}-${process.pid}-${++runCount}`;
	const result = await startWithLog(program, args, { ...options, log }).exit;
	if (result.code !== 0) throw typeof failure === 'string' ? createFailure(failure, result) : failure(result);
	rmSync(result.log, { force: true });
	return result.output;
}

/**
 * Runs npm like {@link runOrFail}; cwd is the clone by default. @type {(args: string[], options: { log: string, cwd?: string },
 * failure: Parameters<typeof runOrFail>[3]) => Promise<string>}
 */
export const runNpm = (args, { log, cwd = ROOT }, failure) =>
	runOrFail('npm', args, { log, cwd, env: createInstallEnv() }, failure);

/** Ends processes, by default all: SIGTERM, and after the grace period SIGKILL. */
export async function stopProcesses(pids = [...runningProcesses.keys()]) {
	const exits = Promise.allSettled(pids.map((pid) => runningProcesses.get(pid)));
	for (const pid of pids) signalGroup(pid, 'SIGTERM');
	await Promise.race([exits, sleep(GRACE_SECONDS * 1000, undefined, { ref: false })]);
	killProcesses(pids);
	await exits;
}

export function killProcesses(pids = [...runningProcesses.keys()]) {
	for (const pid of pids) signalGroup(pid, 'SIGKILL');
}
