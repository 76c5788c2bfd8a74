import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isObject } from '../json';
import type { VoiceAdminCredential } from '../transport/auth/credential';
import type { Failure } from '../transport/failure';
import { successValueOf } from '../transport/response/successValue';
import type { ApiResponse } from '../transport/response/readResponse';
import type { ApiRequest } from '../transport/apiRequest';
import { requestUrl } from '../transport/sendRequest';

const SUCCESS = { success: true };

/**
 * The output of a success: the JSON body, an item per element of an array or of the body's list, `{ data }` for a primitive, and
 * `{ success: true }` with the sent fields for an empty response, if the operation accepts one.
 * @returns undefined if the response is no success
 */
export function outputItems(
	response: ApiResponse,
	request: ApiRequest,
	itemIndex: number,
): INodeExecutionData[] | undefined {
	const success = successValueOf(response);
	if (!success || request.isResult?.(success.value) === false) return undefined;
	const pairedItem = { item: itemIndex };
	const { value: bodyValue = null } = success;
	const list =
		request.rootProperty === undefined ? undefined : (bodyValue as IDataObject | null)?.[request.rootProperty];
	// On a page after the last one, some services leave the list out. On the first page, the body may be an error.
	const isLeftOut =
		request.rootProperty !== undefined &&
		((request.page?.isLater && list === undefined) || (request.page && list === null));
	const value = Array.isArray(list) ? list : isLeftOut ? [] : bodyValue;
	if (typeof value === 'object' && Object.keys(value ?? {}).length === 0) {
		if (request.emptyResponse === 'none') return [];
		// `success` comes first, and no field replaces it. Spread, as assigning a field called `__proto__` would set the prototype.
		return request.emptyResponse === 'invalid'
			? undefined
			: [{ json: { ...SUCCESS, ...request.fields, ...SUCCESS }, pairedItem }];
	}
	const values: unknown[] = Array.isArray(value) ? value : [value];
	return values.map((each) => ({ json: isObject(each) ? each : { data: each as IDataObject[string] }, pairedItem }));
}

/** The output of a dry run: the request without headers (and so without the token), and the key of what it creates. */
export function dryRunItem(
	request: ApiRequest,
	credential: VoiceAdminCredential,
	itemIndex: number,
): INodeExecutionData {
	const { method, body, deduplicationKey } = request;
	const key = deduplicationKey === undefined ? {} : { key: deduplicationKey };
	const json = {
		dryRun: true,
		...key,
		request: { method, url: requestUrl(request, credential), ...(body && { body }) },
	};
	return { json, pairedItem: { item: itemIndex } };
}

/** The output of a failed item, under On Error: Continue. */
export function errorItem(
	{ message, description, status, code, outcome, fields }: Failure,
	itemIndex: number,
): INodeExecutionData {
	const httpCode = status === undefined ? null : String(status);
	return {
		json: { error: { message, description: description || null, httpCode, code, outcome, request: fields ?? null } },
		pairedItem: { item: itemIndex },
	};
}
