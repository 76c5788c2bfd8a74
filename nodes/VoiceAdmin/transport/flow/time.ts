import { sleep } from 'n8n-workflow';

/** A cancelled execution is noticed within this time, in milliseconds. */
const SLICE_MS = 200;

/** Monotonic time in milliseconds, for waits and ages: the time of day may be set back, by an operator or a time server. */
export const now = (): number => performance.now();

/**
 * Waits for so many milliseconds, and stops early when `isOver` says so. In slices, because n8n allows community nodes no
 * timer that could be cleared, and n8n-workflow 2.40 has no abortable sleep any more.
 */
export async function wait(ms: number, isOver: () => boolean): Promise<void> {
	const end = now() + ms;
	for (let left = ms; left > 0 && !isOver(); left = end - now()) {
		await sleep(Math.min(left, SLICE_MS));
	}
}
