import type { IDataObject } from 'n8n-workflow';

import type { ReadParameter } from '../execution/itemParameters';
import type { RunOptions } from '../execution/checkedItem';
import { InvalidParameterError } from '../parameters/invalidParameterError';
import { isBlank } from '../parameters/invisibleCharacters';
import type { ApiRequest } from '../transport/apiRequest';
import { type Field, type Operation, type RequestLocation, locationOf, sentFields } from './operation';
import { optionsOf, parseOptions } from './options';

/** A field's parsed value, and where it goes in the request. */
type FieldValue = { field: Field; location: RequestLocation; value: unknown };

/**
 * Validates an item's parameters and builds its requests. Synchronous, so that invalid items fail before anything is sent.
 * @throws InvalidParameterError
 */
export function buildRequests(
	operation: Operation,
	read: ReadParameter,
): { requests: ApiRequest[]; options: RunOptions } {
	const options = parseOptions<RunOptions>(optionsOf(operation), read('options'));
	const values = parseFields(operation.fields, read);
	const fanOut = values.find(({ field }) => field.fanOut);
	const requests = (fanOut ? (fanOut.value as unknown[]) : [undefined]).map((element) => {
		const valuesOfElement = values.map((each) => (each === fanOut ? { ...each, value: element } : each));
		return buildRequest(operation, valuesOfElement, options);
	});
	return { requests, options };
}

function parseFields(fields: Field[], read: ReadParameter): FieldValue[] {
	return fields.flatMap((field) => {
		const given = read(field.name);
		if (field.type === 'collection') {
			const collection = (given ?? {}) as IDataObject;
			return parseFields(field.options as Field[], (name) => collection[name]);
		}
		const { parse, displayName, required } = field;
		const location = locationOf(field);
		if (!location || (!required && isBlank(given))) return [];
		const value = parse ? parse(displayName, given) : given;
		// After the parser, whose error says more; but `text` accepts an empty text, and a field may have no parser.
		if (isBlank(given)) throw new InvalidParameterError(displayName, given, 'Enter a value');
		return [{ field, location, value }];
	});
}

function buildRequest(operation: Operation, values: FieldValue[], options: RunOptions): ApiRequest {
	const { method, url } = operation.option.routing.request;
	const parts: Record<RequestLocation['type'], IDataObject> = { path: {}, query: {}, body: {} };
	let spread: IDataObject = {};
	for (const { field, location, value } of values) {
		// Spread and not assigned: an assignment of a property called `__proto__` would set the prototype.
		if (field.spread) spread = { ...spread, ...(value as IDataObject) };
		else parts[location.type][location.property] = value as IDataObject[string];
	}
	const ruledBody = operation.buildBody?.({ body: parts.body, spread, options: { ...options } });
	const body = ruledBody ?? { ...parts.body, ...spread };
	const fields = { ...parts.path, ...parts.query, ...body };
	return {
		method,
		path: expandPath(url, parts.path),
		query: parts.query,
		// An operation with body fields sends `{}` if none has a value.
		body: sentFields(operation.fields).some((field) => locationOf(field)!.type === 'body') ? body : undefined,
		fields,
		label: operation.label?.(fields),
		creates: operation.creates?.(fields),
		deduplicationKey: operation.deduplicationKey?.(fields),
		isResult: operation.isResult,
	};
}

function expandPath(template: string, segments: IDataObject): string {
	return template.replace(/\{(\/?)(\w+)\}/g, (_expression, slash: string, name: string) =>
		segments[name] === undefined ? '' : slash + encodeURIComponent(String(segments[name])),
	);
}
