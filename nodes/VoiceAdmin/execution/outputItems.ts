import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isObject } from '../json';
import type { VoiceAdminCredential } from '../transport/auth/credential';
import { describeFailure, type Failure } from '../transport/failure';
import { isSafe } from '../transport/response/classifyFailure';
import { successValueOf } from '../transport/response/successValue';
import type { ApiResponse } from '../transport/response/readResponse';
import type { ApiRequest } from '../transport/apiRequest';
import { requestUrl } from '../transport/sendRequest';

const SUCCESS = { success: true };

/**
 * The output of a success: the JSON body, an item per element of an array, `{ data }` for a primitive. A response without a value
 * (no body, `[]`, `{}`, `null`) gives `{ success: true }` with the sent fields or, of an operation that only reads or whose result
 * is a list, no items for `[]`.
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
	const { value = null } = success;
	if (typeof value === 'object' && Object.keys(value ?? {}).length === 0) {
		// Only a list may be empty.
		if (isSafe(request)) return Array.isArray(value) ? [] : undefined;
		// isResult has accepted it: a search by POST that found nothing.
		if (request.isResult && Array.isArray(value)) return [];
		// `success` comes first, and no field replaces it. Spread, as assigning a field called `__proto__` would set the prototype.
		return [{ json: { ...SUCCESS, ...request.fields, ...SUCCESS }, pairedItem }];
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
export function errorItem(failure: Failure, itemIndex: number): INodeExecutionData {
	const { status, code, outcome, fields } = failure;
	const { message, description } = describeFailure(failure);
	const httpCode = status === undefined ? null : String(status);
	return {
		json: { error: { message, description: description || null, httpCode, code, outcome, request: fields ?? null } },
		pairedItem: { item: itemIndex },
	};
}
