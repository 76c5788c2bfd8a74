import type { INodeExecutionData } from 'n8n-workflow';

import { type Failure, joinLines } from '../transport/failure';
import type { ApiRequest } from '../transport/request';
import type { RequestResult } from '../transport/sendWithRetry';

type Result = RequestResult<INodeExecutionData[]>;

const NOT_SENT_AGAIN = 'The node did not send it again under Retry On Fail';

/** How many customers that were created an error names; of those that may have been, a person needs all. */
const MAX_NAMED = 10;

/** What becomes of a create. */
interface Create {
	/** What is created: "customer with VAT number …". */
	created: string;
	sending: Promise<Result>;
}

/** The creates of a node run in all its attempts: those of each item, in the order of its requests. */
export type Creates = Map<number, Create[]>;

const createsByRun = new WeakMap<object, Creates>();

/** The creates of a node run, or of a tool call. @param key an object that all its Retry On Fail attempts have in common */
export function createsOf(key: object): Creates {
	const creates = createsByRun.get(key) ?? (new Map() as Creates);
	createsByRun.set(key, creates);
	return creates;
}

/**
 * Sends an item's request, but a create only once in a node run: under Retry On Fail n8n runs the whole node again for all
 * its items. A create that succeeded before gives its output again, and one whose outcome is unknown its failure, whatever
 * the item's expressions give now; one that was not done is sent again.
 * @param index of the request among those of its item
 */
export async function createOnce(
	creates: Creates,
	item: number,
	index: number,
	{ creates: created }: ApiRequest,
	send: () => Promise<Result>,
): Promise<Result> {
	if (created === undefined) return await send();
	const ofItem = creates.get(item) ?? [];
	creates.set(item, ofItem);
	const before = ofItem[index] && (await finalResultOf(ofItem[index]));
	if (before) return before;
	const sending = send();
	ofItem[index] = { created, sending };
	return await sending;
}

/** What earlier attempts did of an item for good: what succeeded, and what has an unknown outcome. */
export async function finalResults(creates: Creates, item: number): Promise<Result[]> {
	const results = await Promise.all((creates.get(item) ?? []).map(finalResultOf));
	return results.filter((result) => result !== undefined);
}

/** The first create whose outcome is unknown since an earlier attempt. Where a failure stops the run, no attempt can mend it. */
export async function findUnknownCreate(creates: Creates): Promise<{ item: number; failure: Failure } | undefined> {
	for (const item of creates.keys()) {
		const unknown = (await finalResults(creates, item)).find(isUnknown);
		if (unknown) return { item, failure: unknown.failure };
	}
	return undefined;
}

/** The failure of an item that stops a run, with what became of the other creates: n8n shows no output of theirs. */
export async function withOtherCreates(failure: Failure, item: number, creates: Creates): Promise<Failure> {
	const all = [...creates].flatMap(([of, each]) => each.map(({ created, sending }) => ({ of, created, sending })));
	const results = await Promise.all(all.map(async ({ sending }) => await sending));
	const created = all.filter((_create, index) => isDone(results[index]));
	const unknown = all.filter(({ of }, index) => of !== item && isUnknown(results[index]));
	const lines = [listed('Created before the run stopped', created, MAX_NAMED), listed('May have been created before the run stopped', unknown)];
	return { ...failure, description: joinLines([failure.description, ...lines]) };
}

function listed(title: string, creates: Array<Pick<Create, 'created'>>, max = Infinity): string {
	const names = creates.slice(0, max).map(({ created }) => created);
	const more = creates.length > max ? ` and ${creates.length - max} more` : '';
	return names.length === 0 ? '' : `${title}: ${names.join(', ')}${more}`;
}

/** @returns undefined where the create may be sent again */
async function finalResultOf({ sending }: Create): Promise<Result | undefined> {
	const result = await sending;
	if (isUnknown(result)) return { failure: { ...result.failure, description: joinLines([result.failure.description, NOT_SENT_AGAIN]) } };
	return isDone(result) ? result : undefined;
}

function isDone(result: Result | undefined): boolean {
	return typeof result === 'object' && 'value' in result;
}

function isUnknown(result: Result | undefined): result is { failure: Failure } {
	return typeof result === 'object' && 'failure' in result && result.failure.outcome === 'unknown';
}
