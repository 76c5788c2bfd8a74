import { readFileSync } from 'node:fs';
import os from 'node:os';
import { printFailure } from './failure.mjs';
import { killProcesses, stopProcesses } from './processes.mjs';
import { silenceSteps } from './progress.mjs';

/** One Ctrl-C may arrive twice, from the terminal and from npm, and npm's end then counts as a SIGHUP. */
const ONE_CTRL_C_MS = 1000;
const PARENT_CHECK_MS = 1000;

/**
 * Runs a command, then exits with the code that it returns, 0 by default, or 1 after an error. No child process is left. A
 * signal, or the end of the npm that started us, stops everything; a second signal kills it.
 * @param {(runsUntilStopped: (onStop?: () => void) => void) => Promise<number | void>} work calls runsUntilStopped once being
 * stopped is its normal end (exit code 0) and no longer an interruption; onStop is called before the processes are stopped
 */
export async function runToEnd(work) {
	/** @type {(() => void) | undefined} */
	let onNormalEnd;
	/** @type {number | undefined} */
	let stoppingSince;
	onEndAsked(async (signal) => {
		if (stoppingSince !== undefined) {
			if (signal !== 'SIGHUP' && Date.now() - stoppingSince > ONE_CTRL_C_MS) killProcesses();
			return;
		}
		stoppingSince = Date.now();
		silenceSteps();
		if (onNormalEnd) onNormalEnd();
		else console.error('\nStopped before the end; run the command again to continue.');
		await stopProcesses();
		process.exit(onNormalEnd ? 0 : 128 + os.constants.signals[signal]);
	});
	// If the terminal is gone, writing fails, but the processes must still end properly.
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

	const code = await work((onStop = () => {}) => (onNormalEnd = onStop)).catch((error) => {
		// While stopping, the work fails because its processes end.
		if (stoppingSince === undefined) printFailure(error);
		return 1;
	});
	if (stoppingSince !== undefined) return;
	stoppingSince = Date.now();
	await stopProcesses();
	process.exit(code ?? 0);
}

/**
 * Calls `onEnd` on a signal, or when the npm that started us has ended: a SIGTERM to npm ends at its shell and never reaches us,
 * and a SIGKILL ends npm alone. @param {(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => unknown} onEnd
 */
function onEndAsked(onEnd) {
	for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, onEnd);
	if (process.env.npm_lifecycle_event === undefined) return;
	const atStart = parents();
	const timer = setInterval(() => {
		if (parents() === atStart) return;
		clearInterval(timer);
		onEnd('SIGHUP');
	}, PARENT_CHECK_MS).unref();
}

/** The parent process and, on Linux, which tells it in /proc, the grandparent. */
function parents() {
	try {
		return `${process.ppid} ${/^PPid:.*/m.exec(readFileSync(`/proc/${process.ppid}/status`, 'utf8'))}`;
	} catch {
		return `${process.ppid}`;
	}
}
