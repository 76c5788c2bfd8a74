// Parsers of what documents describe. npm run operation copies this file with the first operation that needs one.
import { InvalidParameterError } from '../../nodes/VoiceAdmin/parameters/invalidParameterError';
import { visibleText } from '../../nodes/VoiceAdmin/parameters/invisibleCharacters';
import { jsonObject } from '../../nodes/VoiceAdmin/parameters/jsonObject';

/** A parser of numbers, given as a number or, as from spreadsheets, as text in ASCII digits. They may be negative or fractional. */
export function numberWithin({ min = -Infinity, max = Infinity, whole = false }) {
	return (parameter: string, input: unknown): number => {
		const text = typeof input === 'string' ? visibleText(input) : '';
		const value = /^-?[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : (input as number);
		const isExact = whole ? Number.isSafeInteger(value) : Number.isFinite(value) && Math.abs(value) < 2 ** 53;
		if (isExact && value >= min && value <= max) return value;
		const bounds = [...(min > -Infinity ? [`at least ${min}`] : []), ...(max < Infinity ? [`at most ${max}`] : [])];
		const explanation = `Enter a ${whole ? 'whole ' : ''}number${bounds.length > 0 ? ' of ' : ''}${bounds.join(' and ')}`;
		throw new InvalidParameterError(parameter, input, explanation);
	};
}

/** A parser of enum values. */
export function oneOf(...values: Array<string | number>) {
	return (parameter: string, input: unknown): string | number => {
		const value = values.find((each) => String(each) === visibleText(String(input)));
		if (value !== undefined) return value;
		throw new InvalidParameterError(parameter, input, `Enter one of: ${values.join(', ')}`);
	};
}

/** Parses a list, given as JSON or, by an expression, as an array. @throws InvalidParameterError */
export function jsonArray(parameter: string, input: unknown): unknown[] {
	const isList = Array.isArray(input) || (typeof input === 'string' && input.trim().startsWith('['));
	const objectText = typeof input === 'string' ? `{"list":${input}}` : { list: input };
	const { list: parsedList, ...others } = isList ? jsonObject(parameter, objectText) : {};
	if (Array.isArray(parsedList) && Object.keys(others).length === 0) return parsedList;
	throw new InvalidParameterError(parameter, input, 'Enter a JSON list, e.g. [{ "name": "Example" }]');
}
