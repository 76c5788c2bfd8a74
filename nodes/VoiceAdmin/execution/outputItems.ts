import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { VoiceAdminCredential } from '../transport/auth/credential';
import type { Failure } from '../transport/failure';
import { isSuccess } from '../transport/http/classify';
import { type ApiResponse, jsonValueOf } from '../transport/http/response';
import { type ApiRequest, urlOf } from '../transport/request';

const SUCCESS = { success: true };

/**
 * The output of a good response: a JSON body as it is, an item per element of an array, `{ data }` for another value, and
 * `{ success: true }` with the fields that were sent for an empty body.
 * @returns undefined for an error status, and for a body that cannot be read: HTML, text, JSON cut off or too deep
 */
export function outputItems({ status, body }: ApiResponse, request: ApiRequest, item: number): INodeExecutionData[] | undefined {
	if (!isSuccess(status)) return undefined;
	const pairedItem = { item };
	// Its `success` comes first, and a field of that name does not replace it. Spread, as an assignment of a field called
	// `__proto__` would set the prototype.
	if (body.kind === 'empty') return [{ json: { ...SUCCESS, ...request.sent, ...SUCCESS }, pairedItem }];
	const value = jsonValueOf(body);
	if (value === undefined) return undefined;
	const values: unknown[] = Array.isArray(value) ? value : [value];
	return values.map((each) => ({ json: asObject(each), pairedItem }));
}

/** The output of a dry run: the request that would be sent, without its header, and so without its token. */
export function dryRunItem(request: ApiRequest, credential: VoiceAdminCredential, item: number): INodeExecutionData {
	const { method, body } = request;
	const json = { dryRun: true, request: { method, url: urlOf(request, credential), ...(body && { body }) } };
	return { json, pairedItem: { item } };
}

/** The output of a failure, under On Error: Continue. */
export function errorItem({ message, description, status, code, outcome }: Failure, item: number): INodeExecutionData {
	const httpCode = status === undefined ? null : String(status);
	return { json: { error: { message, description: description || null, httpCode, code, outcome } }, pairedItem: { item } };
}

function asObject(value: unknown): IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as IDataObject) : { data: value as IDataObject[string] };
}
