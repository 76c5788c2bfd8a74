import type { NodeExecutionHint } from 'n8n-workflow';

import { countOf, formatDuration } from '../text';
import { adviceBeforeResending } from '../transport/failure';
import type { FailedItem } from './checkedItem';

/** In seconds; shorter waits are not mentioned. */
const MIN_WAIT_SHOWN_S = 5;

/** An expression may turn Dry Run on for some items only. */
export const DRY_RUN_HINT = hint('info', "Items with Dry Run on weren't sent: the output shows their requests instead");

/** The hint for failed items, under On Error: Continue. @param isInPart whether other requests of one of them succeeded */
export function failuresHint(
	failures: FailedItem[],
	itemCount: number,
	isInPart = false,
): NodeExecutionHint | undefined {
	const countItems = (failed: FailedItem[]) => new Set(failed.map(({ itemIndex }) => itemIndex)).size;
	const ofUnknownOutcome = failures.filter(({ failure }) => failure.isChange && failure.outcome === 'unknown');
	const unknown = countItems(ofUnknownOutcome);
	const areCreates = ofUnknownOutcome.every(({ failure }) => failure.creates !== undefined);
	const sentences = [
		`${countItems(failures)} of ${countOf(itemCount, 'item')} failed${isInPart ? ', at least in part' : ''}`,
		...(isInPart ? ['Before you send anything again, take out what the output shows as done'] : []),
		...(unknown > 0
			? [`The outcome of ${countOf(unknown, 'item')} is unknown. ${adviceBeforeResending(areCreates, unknown)}`]
			: []),
	];
	return failures.length === 0 ? undefined : hint('warning', sentences.join('. '));
}

/** The hint for changes that were sent again, and succeeded. @param count of requests */
export function resentHint(count: number): NodeExecutionHint | undefined {
	if (count === 0) return undefined;
	return hint(
		'warning',
		`${countOf(count, 'request')} may have been carried out twice: sent again after an attempt of unknown outcome`,
	);
}

/** The hints for a run that waited for the service. */
export function waitHints(waitedMs: { unavailable: number; rateLimited: number }): NodeExecutionHint[] {
	const waits: Array<[why: string, ms: number]> = [
		['The service was unavailable', waitedMs.unavailable],
		['The service limits the number of requests', waitedMs.rateLimited],
	];
	return waits.flatMap(([why, ms]) => {
		const isShort = Math.round(ms / 1_000) < MIN_WAIT_SHOWN_S;
		return isShort ? [] : [hint('info', `${why}; the run waited for ${formatDuration(ms)}`)];
	});
}

function hint(type: NodeExecutionHint['type'], message: string): NodeExecutionHint {
	return { message, type, location: 'outputPane' };
}
