import type { INodeExecutionData } from 'n8n-workflow';

import { joinLines } from '../transport/failure';
import type { RunLimit } from '../transport/flow/runLimit';
import type { ApiRequest } from '../transport/request';
import type { RequestResult } from '../transport/sendWithRetry';

type Result = RequestResult<INodeExecutionData[]>;

const NOT_SENT_AGAIN = 'The node did not send it again under Retry On Fail';

/** What became of the creates of a node run in all its attempts, by item and by what is created. */
export type Creates = Map<string, Promise<Result>>;

const createsByRun = new WeakMap<object, Creates>();

/** The creates of a node run, or of a tool call. @param key an object that all its Retry On Fail attempts have in common */
export function createsOf(key: object): Creates {
	const creates = createsByRun.get(key) ?? (new Map() as Creates);
	createsByRun.set(key, creates);
	return creates;
}

/**
 * Sends a request, but a create only once in a node run: under Retry On Fail n8n runs the whole node again for all its
 * items. A create that succeeded before gives its output again, and one whose outcome is unknown its failure; one that
 * was not done is sent again.
 * @param stopped the run's limit, where a failure stops the run: closed at once, before the items that follow are sent
 */
export async function createOnce(
	creates: Creates,
	item: number,
	{ creates: created }: ApiRequest,
	stopped: RunLimit | undefined,
	send: () => Promise<Result>,
): Promise<Result> {
	if (created === undefined) return await send();
	const key = `${item} ${created}`;
	const before = await creates.get(key);
	if (before && before !== 'aborted') {
		if ('value' in before) return before;
		if (before.failure.outcome === 'unknown') {
			stopped?.close();
			const { description } = before.failure;
			const isSaid = description.includes(NOT_SENT_AGAIN);
			return { failure: { ...before.failure, description: isSaid ? description : joinLines([description, NOT_SENT_AGAIN]) } };
		}
	}
	const sending = send();
	creates.set(key, sending);
	return await sending;
}
