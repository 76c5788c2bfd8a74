import { readFileSync } from 'node:fs';
import os from 'node:os';
import { printFailure } from './failure.mjs';
import { killProcesses, stopProcesses } from './processes.mjs';
import { silenceSteps } from './progress.mjs';

/** One Ctrl-C may arrive twice, from the terminal and from npm, whose end comes after it as a SIGHUP. */
const ONE_CTRL_C_MS = 1000;
const PARENT_CHECK_MS = 1000;

/**
 * Runs a piece of work, and ends the process after it: exit code 0, the number that it gives, or 1 after a failure;
 * children never stay. A signal, or the death of the npm that started us, ends everything; another one, at once.
 * @param {(endsWell: (onStop?: () => void) => void) => Promise<number | void>} work it calls endsWell when from then on
 * being stopped is its normal end (exit code 0) and not an interruption; onStop is called before that
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
		else console.error('\nStopped before the end; run the command again to go on.');
		await stopProcesses();
		process.exit(onNormalEnd ? 0 : 128 + os.constants.signals[signal]);
	});
	// Without a terminal to write to there is still something to end in order.
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

	const code = await work((onStop = () => {}) => (onNormalEnd = onStop)).catch((error) => {
		// Children that we are ending make the work fail: not news.
		if (stoppingSince === undefined) printFailure(error);
		return 1;
	});
	if (stoppingSince !== undefined) return;
	stoppingSince = Date.now();
	await stopProcesses();
	process.exit(code ?? 0);
}

/**
 * Calls back on a signal to end, and when the npm that started us is gone, which it can't always tell: of the shell between
 * the two a SIGTERM gets no further, and a SIGKILL ends npm alone. @param {(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => unknown} onEnd
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

/** The process above this one and, where the system tells without starting a program, the one above that. */
function parents() {
	try {
		return `${process.ppid} ${/^PPid:.*/m.exec(readFileSync(`/proc/${process.ppid}/status`, 'utf8'))}`;
	} catch {
		return `${process.ppid}`;
	}
}
