import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Reply } from '../transport/http/response';
import type { ApiRequest } from '../transport/http/request';

const SUCCESS = { success: true };

/** Deepest nesting of a reply's JSON: n8n copies and stores items by recursion, and fails on what is nested without end. */
export const MAX_JSON_DEPTH = 200;

/**
 * The output items of a good reply: a JSON body as it is, an item per element of an array, and for
 * an empty body `{ success: true }` with the fields that were sent. A value that is not an object
 * comes as `{ data: value }`, because an item must be one.
 *
 * @returns undefined when the status is not a good one, or the body none of these: an HTML page,
 * other text, JSON cut off, JSON nested deeper than 200 levels
 */
export function itemsOf(
	{ status, body }: Reply,
	request: ApiRequest,
	itemIndex: number,
): INodeExecutionData[] | undefined {
	if (status < 200 || status > 299) return undefined;
	const pairedItem = { item: itemIndex };
	if (body.kind === 'empty') {
		// First in order, and not to be replaced by a field of that name. Spread, as an assignment of a field called
		// `__proto__` would set the prototype.
		return [{ json: { ...SUCCESS, ...request.sent, ...SUCCESS }, pairedItem }];
	}
	if (body.kind !== 'json') return undefined;
	if (isDeeperThan(MAX_JSON_DEPTH, body.value)) return undefined;
	const values = Array.isArray(body.value) ? body.value : [body.value];
	return values.map((value: unknown) => ({ json: asObject(value), pairedItem }));
}

function asObject(value: unknown): IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as IDataObject)
		: { data: value as IDataObject[string] };
}

/** Whether a JSON value has more than so many levels. Without recursion, which such a value would exhaust. */
export function isDeeperThan(levels: number, value: unknown): boolean {
	let level = [value].filter(isContainer);
	for (let depth = 1; level.length > 0; depth++) {
		if (depth > levels) return true;
		level = level.flatMap((each) => Object.values(each).filter(isContainer));
	}
	return false;
}

function isContainer(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}
