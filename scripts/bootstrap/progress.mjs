/** A duration such as `3.2 s`, `15 s` or `2 min 5 s`. @param {number} milliseconds */
export function formatDuration(milliseconds) {
	const seconds = Math.round(milliseconds / 1000);
	if (seconds < 10) return `${(milliseconds / 1000).toFixed(1)} s`;
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Runs a step, and prints a line at its start and at its end. @type {<T>(title: string, work: () => Promise<T>) => Promise<T>} */
export async function runStep(title, work) {
	const startedAt = Date.now();
	console.log(`  ${title} …`);
	let mark = '✗';
	try {
		const result = await work();
		mark = '✓';
		return result;
	} finally {
		console.log(`${mark} ${title} (${formatDuration(Date.now() - startedAt)})`);
	}
}
