import type { NodeExecutionHint } from 'n8n-workflow';

import type { Failure } from '../transport/failure';

/** A shorter wait is not worth a sentence, in seconds. */
const MIN_WAIT_SHOWN_S = 5;

/** What n8n shows beside the output of a run with items that were not sent: an expression may turn Dry Run on for some only. */
export const DRY_RUN_HINT = hint('info', 'Items with Dry Run on were not sent: the output shows their requests instead');

/** What n8n shows beside the output of a run with items that failed, under On Error: Continue. @param itemCount number of items */
export function failuresHint(failures: Array<{ item: number; failure: Failure }>, itemCount: number): NodeExecutionHint | undefined {
	const countItems = (failed: typeof failures) => new Set(failed.map(({ item }) => item)).size;
	const unknown = countItems(failures.filter(({ failure }) => failure.outcome === 'unknown' && failure.creates !== undefined));
	const them = unknown === 1 ? 'it' : 'them';
	const outcome = unknown > 0 ? `, ${unknown} of them with an unknown outcome: look for ${them} in your provider's records before you send ${them} again` : '';
	return failures.length === 0 ? undefined : hint('warning', `${countItems(failures)} of ${itemCount} item${itemCount === 1 ? '' : 's'} failed${outcome}`);
}

/** What n8n shows beside the output of a run that has waited for its service, by the reason. @param waitedMs in milliseconds */
export function waitHints(waitedMs: { unavailable: number; rateLimited: number }): NodeExecutionHint[] {
	const waits: Array<[why: string, ms: number]> = [
		['The service was unavailable', waitedMs.unavailable],
		['The service limits the number of requests', waitedMs.rateLimited],
	];
	return waits.flatMap(([why, ms]) => {
		const seconds = Math.round(ms / 1_000);
		return seconds < MIN_WAIT_SHOWN_S ? [] : [hint('info', `${why}; the run waited for ${seconds} seconds`)];
	});
}

function hint(type: NodeExecutionHint['type'], message: string): NodeExecutionHint {
	return { message, type, location: 'outputPane' };
}
