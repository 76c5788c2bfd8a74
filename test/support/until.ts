import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long a test waits for one step, such as a reply, a poll or what a page shows: far longer than a busy machine takes,
 * and less than a test may take (jest's `testTimeout`), so that a failure says what was waited for.
 */
export const STEP_WITHIN_MS = 240_000;

/**
 * Waits for something that is about to be true or there, such as a reply that the client has and the log has not yet.
 * @returns what was found
 */
export async function until<T>(
	find: () => Promise<T> | T,
	what: string,
	everyMs = 1,
): Promise<Exclude<T, false | null | undefined>> {
	for (const deadline = Date.now() + STEP_WITHIN_MS; ; await sleep(everyMs)) {
		const found = await find();
		if (found) return found as Exclude<T, false | null | undefined>;
		if (Date.now() > deadline) throw new Error(`Waited in vain until ${what}`);
	}
}

/**
 * Asserts again and again, until it holds, what a page is about to show: what n8n draws comes in steps, and what is read
 * between two of them is less than what a person sees.
 * @throws what the last assertion threw
 */
export async function eventually(assertion: () => Promise<void>): Promise<void> {
	let failure: unknown;
	const holds = async () =>
		await assertion().then(
			() => true,
			(error: unknown) => void (failure = error),
		);
	await until(holds, 'it holds', 100).catch(() => {
		throw failure;
	});
}
