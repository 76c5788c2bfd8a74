import { readFileSync } from 'node:fs';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { printFailure } from './failure.mjs';
import { killProcesses, refuseProcesses, stopProcesses } from './processes.mjs';

/** One Ctrl-C may arrive twice, from the terminal and from npm, and npm's end then counts as a SIGHUP. */
const ONE_CTRL_C_MS = 1000;
const PARENT_CHECK_MS = 1000;
/** How long a command that was stopped waits for who reads its output. */
const STOPPED_OUTPUT_MS = 1000;

/**
 * Runs a command, then exits with the code that it returns, 0 by default, or 1 after an error. No child process is left. A
 * signal, or the end of the npm that started us, stops everything; a second signal kills it.
 * @param {(expectStop: (onStop?: () => void) => void) => Promise<number | void>} work calls expectStop once being
 * stopped is its normal end (exit code 0) and no longer an interruption; onStop is called before the processes are stopped
 */
export async function runToEnd(work) {
	let state = /** @type {'running' | 'serving' | 'stopping' | 'finished'} */ ('running');
	let [exitCode, stoppingSince] = [0, 0];
	let onStop = () => console.error('\nStopped before the end; run the command again to continue.');
	watchForSignals(async (signal) => {
		// It only waits for its reader.
		if (state === 'finished') process.exit(exitCode);
		if (state === 'stopping') {
			if (signal !== 'SIGHUP' && Date.now() - stoppingSince > ONE_CTRL_C_MS) killProcesses();
			return;
		}
		exitCode = state === 'serving' ? 0 : 128 + os.constants.signals[signal];
		[state, stoppingSince] = ['stopping', Date.now()];
		onStop();
		// The work goes on until the exit, and fails because its processes end: that is nobody's concern.
		console.log = console.error = () => {};
		refuseProcesses();
		await stopProcesses();
		await Promise.race([drainOutput(), sleep(STOPPED_OUTPUT_MS)]);
		process.exit(exitCode);
	});
	// If the terminal is gone, writing fails, but the processes must still end properly.
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

	const code = await work((newOnStop = () => {}) => {
		if (state === 'running') [state, onStop] = ['serving', newOnStop];
	}).catch((error) => (printFailure(error), 1));
	if (state === 'stopping') return;
	[state, exitCode] = ['finished', code ?? 0];
	await stopProcesses();
	await drainOutput();
	process.exit(exitCode);
}

/** Waits until everything that was printed is written: process.exit drops what a full pipe hasn't taken yet. */
const drainOutput = () =>
	Promise.all([process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))));

/**
 * Calls `onEnd` on a signal, or when the npm that started us has ended: a SIGTERM to npm ends at its shell and never reaches us,
 * and a SIGKILL ends npm alone. @param {(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => unknown} onEnd
 */
function watchForSignals(onEnd) {
	for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, onEnd);
	if (process.env.npm_lifecycle_event === undefined) return;
	const initialParents = readParentIds();
	const timer = setInterval(() => {
		if (readParentIds() === initialParents) return;
		clearInterval(timer);
		onEnd('SIGHUP');
	}, PARENT_CHECK_MS).unref();
}

/**
 * The pid of the parent and, on Linux, if that is the shell in which npm runs a script (`sh -c …`), its parent's. Some shells,
 * such as bash, are replaced by the script: then npm is the parent, and the end of npm's parent doesn't matter (nohup).
 */
function readParentIds() {
	try {
		const [, firstArgument] = readFileSync(`/proc/${process.ppid}/cmdline`, 'utf8').split('\0');
		if (firstArgument !== '-c') return `${process.ppid}`;
		return `${process.ppid} ${/^PPid:.*/m.exec(readFileSync(`/proc/${process.ppid}/status`, 'utf8'))}`;
	} catch {
		return `${process.ppid}`;
	}
}
