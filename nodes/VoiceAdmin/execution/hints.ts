import type { NodeExecutionHint } from 'n8n-workflow';

import type { Failure } from '../transport/failure';

/** A shorter wait is not worth a sentence, in seconds. */
const MIN_WAIT_SHOWN = 5;

/**
 * What n8n shows beside the output of a run with items that were not sent, by Dry Run.
 * @param items for each, how many requests the output shows; undefined without Dry Run
 */
export function dryRunHint(items: Array<number | undefined>): NodeExecutionHint | undefined {
	const notSent = items.filter((requests) => requests !== undefined);
	if (notSent.length === 0) return undefined;
	const requests = notSent.reduce((sum, each) => sum + each, 0);
	// An expression may turn it on for some items only.
	const some = notSent.length < items.length ? ` for ${notSent.length} of ${items.length} items` : '';
	return hint('info', `Dry Run is on${some}: nothing was sent${some && ' for these'}. The output shows the ${counted(requests, 'request')} that would be sent`);
}

/** What n8n shows beside the output of a run with items that failed, under On Error: Continue. @param items number of items */
export function failuresHint(failures: Array<{ item: number; failure: Failure }>, items: number): NodeExecutionHint | undefined {
	const count = (of: typeof failures) => new Set(of.map(({ item }) => item)).size;
	const unknown = count(failures.filter(({ failure }) => failure.outcome === 'unknown' && failure.creates !== undefined));
	const them = unknown === 1 ? 'it' : 'them';
	const outcome = unknown > 0 ? `, ${unknown} of them with an unknown outcome: look for ${them} in your provider's records before you send ${them} again` : '';
	return failures.length === 0 ? undefined : hint('warning', `${count(failures)} of ${counted(items, 'item')} failed${outcome}`);
}

/** What n8n shows beside the output of a run that has waited for its service, by the reason. @param waited in milliseconds */
export function waitHints(waited: { unavailable: number; rateLimited: number }): NodeExecutionHint[] {
	const waits: Array<[why: string, ms: number]> = [
		['The service was unavailable', waited.unavailable],
		['The service limits the number of requests', waited.rateLimited],
	];
	const shown = waits.map(([why, ms]) => [why, Math.round(ms / 1_000)] as const).filter(([, seconds]) => seconds >= MIN_WAIT_SHOWN);
	return shown.map(([why, seconds]) => hint('info', `${why}; the run waited for ${seconds} seconds`));
}

function hint(type: NodeExecutionHint['type'], message: string): NodeExecutionHint {
	return { message, type, location: 'outputPane' };
}

function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
