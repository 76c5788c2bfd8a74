import type { IDataObject } from 'n8n-workflow';

import { InvalidParameterError, isBlank } from '../parameters/invalidParameterError';
import type { ApiRequest } from '../transport/request';
import { type Field, type Operation, type Send, sentFields } from './operation';
import { type Options, optionsOf, parseOptions } from './options';

/** Reads a parameter of the current item, its expression resolved. */
export type ReadParameter = (name: string) => unknown;

/** A value that was given, parsed, and where it goes. */
interface SentValue {
	send: Send;
	property: string;
	value: unknown;
}

/**
 * Checks an item's parameters and makes its requests of them, one for each output item. Synchronous, so that whatever is
 * not valid fails before anything is sent. @throws InvalidParameterError
 */
export function buildRequests(operation: Operation, read: ReadParameter): { requests: ApiRequest[]; options: Options } {
	const options = parseOptions(optionsOf(operation), read('options'));
	const values = sentValues(operation.fields, read);
	const fanOut = values.find(({ send }) => send.fanOut);
	const requests = (fanOut ? (fanOut.value as unknown[]) : [undefined]).map((single) =>
		buildRequest(operation, values.map((each) => (each === fanOut ? { ...each, value: single } : each)), options),
	);
	return { requests, options };
}

function sentValues(fields: Field[], read: ReadParameter): SentValue[] {
	return fields.flatMap((field) => {
		const given = read(field.name);
		if (field.type === 'collection') {
			const collection = (given ?? {}) as IDataObject;
			return sentValues(field.options as Field[], (name) => collection[name]);
		}
		const { send, parse, displayName, name, required } = field;
		if (!send || (!required && isBlank(given))) return [];
		if (!parse && isBlank(given)) throw new InvalidParameterError(displayName, given, 'Enter a value');
		return [{ send, property: send.property ?? name, value: parse ? parse(displayName, given) : given }];
	});
}

function buildRequest(operation: Operation, values: SentValue[], options: Options): ApiRequest {
	const of = (type: Send['type'], isSpread = false) => values.filter(({ send }) => send.type === type && (send.spread ?? false) === isSpread);
	const objectOf = (from: SentValue[]) => Object.fromEntries(from.map(({ property, value }) => [property, value])) as IDataObject;
	const segments = objectOf(of('path'));
	const query = objectOf(of('query'));
	const given = objectOf(of('body'));
	// Spread and not assigned: an assignment of a property called `__proto__` would set the prototype.
	const spread = of('body', true).reduce((all, { value }) => ({ ...all, ...(value as IDataObject) }), {});
	const body = operation.finalize?.({ body: given, spread, options: { ...options } }) ?? { ...given, ...spread };
	const sent = { ...segments, ...query, ...body };
	return {
		method: operation.method,
		path: expandPath(operation.path, segments) + queryString(query),
		body: sentFields(operation.fields).some(({ send }) => send?.type === 'body') ? body : undefined,
		sent,
		label: operation.label?.(sent),
		creates: operation.creates?.(sent),
	};
}

function expandPath(template: string, segments: IDataObject): string {
	return template.replace(/\{(\/?)(\w+)\}/g, (_expression, slash: string, name: string) =>
		segments[name] === undefined ? '' : slash + encodeURIComponent(String(segments[name])),
	);
}

function queryString(query: IDataObject): string {
	const parameters = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
	return Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`;
}
