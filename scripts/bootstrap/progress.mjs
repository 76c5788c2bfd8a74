const TTY = Boolean(process.stdout.isTTY);
const REDRAW_MS = 500;
let silent = false;

/** Hides all further progress, when the command is being stopped. */
export const silenceSteps = () => void (silent = true);

/** A duration such as `3.2 s`, `15 s` or `2 min 5 s`. @param {number} milliseconds */
export function formatDuration(milliseconds) {
	const seconds = Math.round(milliseconds / 1000);
	if (seconds < 10) return `${(milliseconds / 1000).toFixed(1)} s`;
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Runs a step and shows its progress: on a terminal, one line with the elapsed time; elsewhere, a line at the start and one
 * at the end. @type {<T>(title: string, work: () => Promise<T>) => Promise<T>}
 */
export async function step(title, work) {
	const started = Date.now();
	const elapsed = () => formatDuration(Date.now() - started);
	const draw = () => void (silent || process.stdout.write(`\r\x1b[2K  ${title} … ${elapsed()}`));
	if (!TTY) console.log(`  ${title} …`);
	const timer = TTY ? setInterval(draw, REDRAW_MS) : undefined;
	let mark = '✗';
	try {
		const result = await work();
		mark = '✓';
		return result;
	} finally {
		clearInterval(timer);
		if (!silent) console.log(`${TTY ? '\r\x1b[2K' : ''}${mark} ${title} (${elapsed()})`);
	}
}
