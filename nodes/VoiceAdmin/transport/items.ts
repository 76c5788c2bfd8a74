import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Reply } from './reply';
import type { ApiRequest } from './request';

/**
 * The output items of a good reply: a JSON body as it is, an item per element of an array, and for
 * an empty body `{ success: true }` with the fields that were sent. A value that is not an object
 * comes as `{ data: value }`, because an item must be one.
 *
 * @returns undefined when the status is not a good one, or the body none of these: an HTML page,
 * other text, JSON cut off
 */
export function itemsOf(
	{ status, body }: Reply,
	request: ApiRequest,
	itemIndex: number,
): INodeExecutionData[] | undefined {
	if (status < 200 || status > 299) return undefined;
	const pairedItem = { item: itemIndex };
	if (body.kind === 'empty') {
		// First in order, and not to be replaced by a field of that name.
		return [{ json: Object.assign({ success: true }, request.sent, { success: true }), pairedItem }];
	}
	if (body.kind !== 'json') return undefined;
	const values = Array.isArray(body.value) ? body.value : [body.value];
	return values.map((value: unknown) => ({ json: asObject(value), pairedItem }));
}

function asObject(value: unknown): IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as IDataObject)
		: { data: value as IDataObject[string] };
}
