import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// Each child leads a process group of its own, so that a signal reaches whatever it has started in turn
// (n8n starts task runners, pnpm starts compilers) and the terminal's Ctrl-C reaches only us, who then
// end them in order.
const OWN_GROUP = process.platform !== 'win32';
const GRACE_MS = 5000;

/** @type {Map<number, Promise<void>>} */
const running = new Map();
let watchdog;

function tellWatchdog(line) {
	if (!OWN_GROUP) return;
	if (!watchdog) {
		const script = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));
		watchdog = spawn(process.execPath, [script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
		watchdog.on('error', () => {});
		watchdog.stdin.on('error', () => {});
		watchdog.unref();
		watchdog.stdin.unref();
	}
	watchdog.stdin.write(`${line}\n`);
}

/**
 * Sends a signal to a child and whatever it has started.
 * @param {number} pid of the child
 * @param {NodeJS.Signals} signal
 */
export function signalGroup(pid, signal) {
	if (!OWN_GROUP) {
		spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
		return;
	}
	try {
		process.kill(-pid, signal);
	} catch {
		// Nobody is left in the group.
	}
}

/**
 * Starts a child that will not outlive this process, however this process ends.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function startChild(command, args, options) {
	const child = spawn(command, args, { ...options, detached: OWN_GROUP, windowsHide: true });
	const { pid } = child;
	if (pid !== undefined) {
		tellWatchdog(`+${pid}`);
		running.set(
			pid,
			new Promise((resolve) => {
				child.once('exit', () => {
					// Whatever the child left behind goes with it.
					if (OWN_GROUP) signalGroup(pid, 'SIGKILL');
					tellWatchdog(`-${pid}`);
					running.delete(pid);
					resolve();
				});
			}),
		);
	}
	return child;
}

/** Asks all children to end, and makes those end that don't within a few seconds. */
export async function stopChildren() {
	const ended = Promise.all(running.values());
	for (const pid of running.keys()) signalGroup(pid, 'SIGTERM');
	let timer;
	const impatient = new Promise((resolve) => {
		timer = setTimeout(resolve, GRACE_MS);
	});
	await Promise.race([ended, impatient]);
	clearTimeout(timer);
	killChildren();
	await ended;
}

/** Ends all children at once, without asking. */
export function killChildren() {
	for (const pid of running.keys()) signalGroup(pid, 'SIGKILL');
}
