import type { INodeExecutionData } from 'n8n-workflow';

import { type Failure, joinLines } from '../transport/failure';
import type { ApiRequest } from '../transport/request';
import type { RequestResult } from '../transport/sendWithRetry';

type Result = RequestResult<INodeExecutionData[]>;

const NOT_SENT_AGAIN = 'The node did not send it again under Retry On Fail';

/** How many creates an error names, of each kind. */
const MAX_NAMED = 10;

/** What becomes of a create. */
interface Create {
	item: number;
	/** What is created: "customer with VAT number …". */
	created: string;
	sending: Promise<Result>;
}

/** The creates of a node run in all its attempts, by item and by what is created. */
export type Creates = Map<string, Create>;

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
 */
export async function createOnce(creates: Creates, item: number, { creates: created }: ApiRequest, send: () => Promise<Result>): Promise<Result> {
	if (created === undefined) return await send();
	const key = `${item} ${created}`;
	const before = await creates.get(key)?.sending;
	if (isDone(before)) return before;
	if (isUnknown(before)) return { failure: notSentAgain(before.failure) };
	const sending = send();
	creates.set(key, { item, created, sending });
	return await sending;
}

/** The first create whose outcome is unknown since an earlier attempt. Where a failure stops the run, no attempt can mend it. */
export async function findUnknownCreate(creates: Creates): Promise<{ item: number; failure: Failure } | undefined> {
	for (const { item, sending } of creates.values()) {
		const result = await sending;
		if (isUnknown(result)) return { item, failure: notSentAgain(result.failure) };
	}
	return undefined;
}

/** The failure of an item that stops a run, with what became of the other items' creates: n8n shows no output of theirs. */
export async function withOtherCreates(failure: Failure, item: number, creates: Creates): Promise<Failure> {
	const others = [...creates.values()].filter((each) => each.item !== item);
	const results = await Promise.all(others.map(async ({ sending }) => await sending));
	const named = (is: (result: Result) => boolean) => others.filter((_other, index) => is(results[index]!)).map(({ created }) => created);
	const lines = [listed('Created before the run stopped', named(isDone)), listed('May have been created before the run stopped', named(isUnknown))];
	return { ...failure, description: joinLines([failure.description, ...lines]) };
}

function listed(title: string, names: string[]): string {
	const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
	return names.length === 0 ? '' : `${title}: ${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}

function isDone(result: Result | undefined): result is Extract<Result, { value: unknown }> {
	return typeof result === 'object' && 'value' in result;
}

function isUnknown(result: Result | undefined): result is { failure: Failure } {
	return typeof result === 'object' && 'failure' in result && result.failure.outcome === 'unknown';
}

function notSentAgain(failure: Failure): Failure {
	const { description } = failure;
	return description.includes(NOT_SENT_AGAIN) ? failure : { ...failure, description: joinLines([description, NOT_SENT_AGAIN]) };
}
