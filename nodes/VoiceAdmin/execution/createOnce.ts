import type { INodeExecutionData } from 'n8n-workflow';

import { type Failure, joinLines } from '../transport/failure';
import type { ApiRequest } from '../transport/request';
import type { RequestResult } from '../transport/sendWithRetry';
import type { NodeRun } from './nodeRun';

type Result = RequestResult<INodeExecutionData[]>;

const NOT_RETRIED = 'The node did not send it again under Retry On Fail';

/**
 * Sends a request, but a create only once in a node run: under Retry On Fail n8n runs the whole node again for all its
 * items. A create that succeeded before, or is under way, gives its output again, and one whose outcome is unknown its
 * failure; one that was not done is sent again.
 */
export async function createOnce(run: NodeRun, item: number, { creates }: ApiRequest, stopsOnFailure: boolean, send: () => Promise<Result>): Promise<Result> {
	if (creates === undefined || !run.mayBeRepeated) return await send();
	const key = `${item} ${creates}`;
	const before = await run.creates.get(key)?.catch(() => undefined);
	if (before && before !== 'aborted') {
		if ('value' in before) return before;
		if (before.failure.outcome === 'unknown') {
			if (stopsOnFailure) run.abort();
			return { failure: notRetried(before.failure) };
		}
	}
	// Another attempt may have begun meanwhile.
	if (run.isAborted) return 'aborted';
	const sending = send();
	run.creates.set(key, sending);
	return await sending;
}

function notRetried(failure: Failure): Failure {
	const { description } = failure;
	return description.includes(NOT_RETRIED) ? failure : { ...failure, description: joinLines([description, NOT_RETRIED]) };
}
