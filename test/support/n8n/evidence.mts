import type { LoggedRequest } from '../../../sandbox';

const SHOWN = 40;

/** Adds to a failure what its reader would look for next. */
export async function withEvidence<T>(work: () => Promise<T> | T, evidence: () => Promise<string> | string): Promise<T> {
	try {
		return await work();
	} catch (error) {
		const failure = error as Error;
		const { message } = failure;
		failure.message += `\n\n${await evidence()}`;
		// Jest shows the stack, which has a message of its own.
		failure.stack = failure.stack?.replace(message, () => failure.message);
		throw failure;
	}
}

/** What was asked of a sandbox, line by line. */
export function linesOf(requests: LoggedRequest[]): string {
	const lines = requests.slice(-SHOWN).map(({ method, path, status, milliseconds, fault }) => {
		return `  ${method} ${path} ${status} ${milliseconds} ms${fault ? ` (fault: ${fault})` : ''}`;
	});
	return [`The sandbox's ${requests.length} requests${requests.length > SHOWN ? `, the last ${SHOWN}` : ''}:`, ...lines].join('\n');
}
