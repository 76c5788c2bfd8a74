import type { IDataObject } from 'n8n-workflow';

import type { RunOptions, ValidItem } from '../execution/checkedItem';
import type { ReadParameter } from '../execution/itemParameters';
import { InvalidParameterError } from '../parameters/invalidParameterError';
import { isBlank } from '../parameters/invisibleCharacters';
import type { ApiRequest } from '../transport/apiRequest';
import { type Operation, type SentField, sentFields } from './operation';
import { optionsOf, parseOptions } from './options';

/** A field with its parsed value. */
type FieldValue = SentField & { value: unknown };

/**
 * Validates an item's parameters and builds its requests. Synchronous, so that invalid items fail before anything is sent.
 * @throws InvalidParameterError
 */
export function buildRequests(operation: Operation, read: ReadParameter): ValidItem {
	const options = parseOptions<RunOptions>(optionsOf(operation), read('options'));
	const values = parseFields(operation, read);
	const fanOut = values.find(({ field }) => field.fanOut);
	const requests = (fanOut ? (fanOut.value as unknown[]) : [undefined]).map((element) => {
		const valuesOfElement = values.map((each) => (each === fanOut ? { ...each, value: element } : each));
		return buildRequest(operation, valuesOfElement, options);
	});
	return { requests, options };
}

function parseFields(operation: Operation, read: ReadParameter): FieldValue[] {
	const additional = ((operation.additionalFields && read('additionalFields')) ?? {}) as IDataObject;
	return sentFields(operation).flatMap((sent) => {
		const { name, parse, displayName, required } = sent.field;
		const given = operation.fields.includes(sent.field) ? read(name) : additional[name];
		if (!required && isBlank(given)) return [];
		const value = parse ? parse(displayName, given) : given;
		// After the parser, whose error says more; but `text` accepts an empty text, and a field may have no parser.
		if (isBlank(given)) throw new InvalidParameterError(displayName, given, 'Enter a value');
		return [{ ...sent, value }];
	});
}

function buildRequest(operation: Operation, values: FieldValue[], options: RunOptions): ApiRequest {
	const { option, label, creates, deduplicationKey, buildBody, isResult } = operation;
	const { method, url } = option.routing.request;
	const parts: Record<SentField['type'], IDataObject> = { path: {}, query: {}, body: {} };
	let spread: IDataObject = {};
	for (const { field, type, property, value } of values) {
		// Spread and not assigned: an assignment of a property called `__proto__` would set the prototype.
		if (field.spread) spread = { ...spread, ...(value as IDataObject) };
		else parts[type][property] = value as IDataObject[string];
	}
	const body = buildBody?.({ body: parts.body, spread, options: { ...options } }) ?? { ...parts.body, ...spread };
	const fields = { ...parts.path, ...parts.query, ...body };
	const path = url.replace(/\{(\/?)(\w+)\}/g, (_expression, slash: string, name: string) =>
		parts.path[name] === undefined ? '' : slash + encodeURIComponent(String(parts.path[name])),
	);
	return {
		method,
		path,
		query: parts.query,
		// An operation with body fields sends `{}` if none has a value.
		body: sentFields(operation).some(({ type }) => type === 'body') ? body : undefined,
		fields,
		label: label?.(fields),
		creates: creates?.(fields),
		deduplicationKey: deduplicationKey?.(fields),
		isResult,
	};
}
