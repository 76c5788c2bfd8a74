const TTY = Boolean(process.stdout.isTTY);
const REDRAW_MS = 500;
let silent = false;

/** No step shows anything from here on: what goes on now is the end of everything. */
export function silenceSteps() {
	silent = true;
}

/**
 * Seconds as a reader likes them.
 * @param {number} milliseconds
 */
export function readable(milliseconds) {
	const seconds = Math.round(milliseconds / 1000);
	if (seconds < 10) return `${(milliseconds / 1000).toFixed(1)} s`;
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Runs a step and shows that it is under way: one line that counts on a terminal, a line at the start and
 * one at the end elsewhere.
 * @template T
 * @param {string} title such as `Installing n8n 2.8.4`
 * @param {(report: (now: string) => void) => Promise<T>} work `report` tells what is being done just now
 * @param {(result: T) => boolean} [succeeded] for work that tells its failure in its result
 * @returns {Promise<T>}
 */
export async function step(title, work, succeeded = () => true) {
	const started = Date.now();
	const elapsed = () => readable(Date.now() - started);
	let now = '';
	const draw = () => {
		if (silent) return;
		const line = `  ${title} … ${elapsed()}${now ? `  ${now}` : ''}`;
		process.stdout.write(`\r\x1b[2K${line.slice(0, (process.stdout.columns || 80) - 1)}`);
	};
	if (!TTY) console.log(`  ${title} …`);
	const timer = TTY ? setInterval(draw, REDRAW_MS) : undefined;
	if (TTY) draw();

	let mark = '✗';
	try {
		const result = await work((line) => {
			now = line;
		});
		if (succeeded(result)) mark = '✓';
		return result;
	} finally {
		clearInterval(timer);
		if (!silent) console.log(`${TTY ? '\r\x1b[2K' : ''}${mark} ${title} (${elapsed()})`);
	}
}
