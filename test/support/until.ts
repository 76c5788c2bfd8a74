const LONGEST_MS = 60_000;

/**
 * Waits for something that is about to be true, such as a reply that the client has and the log has not yet.
 * @throws if it is not true within a minute: a test that waits for ever would keep all others from ending
 */
export async function until(isTrue: () => boolean, what: string): Promise<void> {
	const deadline = Date.now() + LONGEST_MS;
	while (!isTrue()) {
		if (Date.now() > deadline) throw new Error(`Waited in vain until ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 1));
	}
}
