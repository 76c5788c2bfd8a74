import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

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

/** What n8n shows beside the output of a run with items that were not sent, by Dry Run. @param items those that are valid */
export function dryRunHint(items: Array<{ options: { dryRun: boolean }; requests: unknown[] }>): NodeExecutionHint | undefined {
	const rehearsed = items.filter(({ options }) => options.dryRun);
	if (rehearsed.length === 0) return undefined;
	const requests = rehearsed.reduce((sum, item) => sum + item.requests.length, 0);
	// An expression may turn it on for some items only.
	const some = rehearsed.length < items.length ? ` for ${rehearsed.length} of ${items.length} items` : '';
	return hint('info', `Dry Run is on${some}: nothing was sent${some && ' for these'}. The output shows the ${counted(requests, 'request')} that would be sent`);
}

/** What n8n shows beside the output of a run with items that failed, under On Error: Continue. @param items number of items */
export function failuresHint(failures: Array<{ item: number; failure: Failure }>, items: number): NodeExecutionHint | undefined {
	const failed = new Set(failures.map(({ item }) => item)).size;
	if (failed === 0) return undefined;
	const unknown = new Set(failures.filter(({ failure }) => failure.outcome === 'unknown').map(({ item }) => item)).size;
	const outcome = unknown > 0 ? `, ${unknown} of them with an unknown outcome: check whether they were done before you send them again` : '';
	return hint('warning', `${failed} of ${counted(items, 'item')} failed${outcome}`);
}

function hint(type: NodeExecutionHint['type'], message: string): NodeExecutionHint {
	return { message, type, location: 'outputPane' };
}

function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
