import type { LoggedRequest } from '../../../sandbox';

const SHOWN = 40;

/** Adds to a failure what its reader would look for next. */
export async function withEvidence(work: () => Promise<void>, evidence: () => Promise<string> | string): Promise<void> {
	try {
		await work();
	} catch (error) {
		throw new Error(await evidence(), { cause: error });
	}
}

/** What was asked of a sandbox, line by line. */
export function linesOf(requests: LoggedRequest[]): string {
	const lines = requests.slice(-SHOWN).map(({ method, path, status, milliseconds, fault }) => {
		return `  ${method} ${path} ${status} ${milliseconds} ms${fault ? ` (fault: ${fault})` : ''}`;
	});
	return [`The sandbox's ${requests.length} requests${requests.length > SHOWN ? `, the last ${SHOWN}` : ''}:`, ...lines].join('\n');
}
