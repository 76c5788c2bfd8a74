import { readFileSync } from 'node:fs';
import os from 'node:os';
import { killChildren, stopChildren } from './children.mjs';
import { printFailure } from './failure.mjs';
import { silenceSteps } from './progress.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const PARENT_CHECK_MS = 1000;

/**
 * Runs a command to its end: exit code 0, the number it returns, or 1 after a failure; children never stay.
 * A signal, or the death of the npm that started us, ends everything.
 * @param {(endsWell: (onStop?: () => void) => void) => Promise<number | void>} command calls `endsWell` when,
 *   from then on, being stopped is the normal end (exit code 0) and not an interruption
 */
export async function runToTheEnd(command) {
	let normalEnd = false;
	let beforeStop;
	let stopping = false;

	const stop = async (signal) => {
		if (stopping) {
			killChildren();
			return;
		}
		stopping = true;
		silenceSteps();
		if (normalEnd) beforeStop?.();
		else console.error('\nStopped before the end; run the command again to go on.');
		await stopChildren();
		process.exit(normalEnd ? 0 : 128 + os.constants.signals[signal]);
	};
	for (const signal of SIGNALS) process.on(signal, () => void stop(signal));
	watchParent(() => void stop('SIGHUP'));
	// Without a terminal to write to there is still something to end in order.
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

	try {
		const code = await command((onStop) => {
			normalEnd = true;
			beforeStop = onStop;
		});
		if (stopping) return;
		stopping = true;
		await stopChildren();
		process.exit(code ?? 0);
	} catch (error) {
		// Children that we are ending make the command fail: not news.
		if (stopping) return;
		stopping = true;
		await stopChildren();
		printFailure(error);
		process.exit(1);
	}
}

/**
 * Notices that the npm that started us is gone, which it can't always tell: of the shell between the two a
 * SIGTERM gets no further, and a SIGKILL ends npm alone.
 */
function watchParent(onDeath) {
	if (!process.env.npm_lifecycle_event || process.platform === 'win32') return;
	const ancestors = () => `${process.ppid} ${parentOf(process.ppid)}`;
	const atStart = ancestors();
	setInterval(() => {
		if (ancestors() !== atStart) onDeath();
	}, PARENT_CHECK_MS).unref();
}

/** The parent of another process, where the system tells without starting a program; '' elsewhere. */
function parentOf(pid) {
	try {
		// pid (name) state ppid …; the name may hold anything, parentheses and spaces included.
		return /^.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))[1];
	} catch {
		return '';
	}
}
