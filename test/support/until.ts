import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for something that is about to be true or there, such as a reply that the client has and the log has not yet.
 * @returns what was found
 * @throws if it is not within a minute, unless told: a test that waits for ever would keep all others from ending
 */
export async function until<T>(
	find: () => Promise<T> | T,
	what: string,
	{ everyMs = 1, withinMs = 60_000 } = {},
): Promise<Exclude<T, false | null | undefined>> {
	for (const deadline = Date.now() + withinMs; ; await sleep(everyMs)) {
		const found = await find();
		if (found) return found as Exclude<T, false | null | undefined>;
		if (Date.now() > deadline) throw new Error(`Waited in vain until ${what}`);
	}
}

/**
 * Asserts again and again, until it holds, what a page is about to show: what n8n draws comes in steps, and what is read
 * between two of them is less than what a person sees.
 * @throws what the last assertion threw, if none holds within 20 seconds
 */
export async function eventually(assertion: () => Promise<void>): Promise<void> {
	for (const deadline = Date.now() + 20_000; ; await sleep(100)) {
		try {
			return await assertion();
		} catch (error) {
			if (Date.now() > deadline) throw error;
		}
	}
}
