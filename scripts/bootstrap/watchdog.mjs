import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * Each child leads a process group of its own, so that a signal reaches whatever it has started in turn (n8n starts task
 * runners, pnpm starts compilers) and the terminal's Ctrl-C reaches only us, who then end them in order.
 */
export const OWN_GROUP = process.platform !== 'win32';
export const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const GRACE_MS = 3000;
const PARENT_CHECK_MS = 1000;
const PROGRAM = fileURLToPath(import.meta.url);

/** @type {import('node:child_process').ChildProcessByStdio<import('node:stream').Writable, null, null> | undefined} */
let watchdog;

/** Starts the watchdog, once: before the child, as starting it takes long enough for us to die meanwhile. */
export function startWatchdog() {
	if (!OWN_GROUP || watchdog) return;
	watchdog = spawn(process.execPath, [PROGRAM], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
	watchdog.on('error', () => {});
	watchdog.stdin.on('error', () => {});
	watchdog.unref();
	/** @type {import('node:net').Socket} */ (watchdog.stdin).unref();
}

/**
 * Has the process group of a child ended when we die without a chance to do so (kill -9, an out-of-memory kill).
 * @param {number} pid of the child
 * @returns {() => void} to be called when the child has ended
 */
export function supervise(pid) {
	const stdin = watchdog?.stdin;
	stdin?.write(`+${pid}\n`);
	return () => void stdin?.write(`-${pid}\n`);
}

/**
 * Sends a signal to a child and whatever it has started.
 * @param {number} pid of the child
 * @param {NodeJS.Signals} signal
 * @returns {boolean} whether there was anybody
 */
export function signalGroup(pid, signal) {
	if (!OWN_GROUP) return spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' }).status === 0;
	try {
		return process.kill(-pid, signal);
	} catch {
		return false;
	}
}

/**
 * Calls back on a signal to end, and when the npm that started us is gone, which it can't always tell: of the shell between
 * the two a SIGTERM gets no further, and a SIGKILL ends npm alone.
 * @param {(signal: typeof SIGNALS[number]) => unknown} onEnd
 */
export function onEndAsked(onEnd) {
	for (const signal of SIGNALS) process.on(signal, onEnd);
	const ancestors = () => `${process.ppid} ${parentOf(process.ppid)}`;
	const atStart = ancestors();
	if (process.env.npm_lifecycle_event === undefined || !OWN_GROUP) return;
	const timer = setInterval(() => {
		if (ancestors() === atStart) return;
		clearInterval(timer);
		onEnd('SIGHUP');
	}, PARENT_CHECK_MS).unref();
}

/**
 * The parent of another process, where the system tells without starting a program.
 * @param {number} pid
 */
function parentOf(pid) {
	try {
		// pid (name) state ppid …; the name may hold anything, parentheses and spaces included.
		return /^.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
	} catch {
		return undefined;
	}
}

/** Runs beside the command that started it, and ends the groups that it was told of when the pipe to the command closes. */
function watch() {
	/** @type {Set<number>} */
	const groups = new Set();
	// The terminal's Ctrl-C is for the command, which then closes the pipe.
	for (const signal of SIGNALS) process.on(signal, () => {});
	createInterface({ input: process.stdin })
		.on('line', (line) => void (line.startsWith('+') ? groups.add(Number(line.slice(1))) : groups.delete(Number(line.slice(1)))))
		.on('close', () => {
			const left = [...groups].filter((group) => signalGroup(group, 'SIGTERM'));
			if (left.length > 0) setTimeout(() => left.forEach((group) => signalGroup(group, 'SIGKILL')), GRACE_MS);
		});
}

if (process.argv[1] === PROGRAM) watch();
