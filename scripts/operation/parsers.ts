// Parsers of what documents describe. npm run operation copies this file with the first operation that needs one.
import { InvalidParameterError } from '../../nodes/VoiceAdmin/parameters/invalidParameterError';
import { visibleText } from '../../nodes/VoiceAdmin/parameters/invisibleCharacters';
import { jsonObject } from '../../nodes/VoiceAdmin/parameters/jsonObject';

/** A parser of numbers, given as a number or, as from spreadsheets, as text in ASCII digits. They may be negative or fractional. */
export function numberWithin({ min = -Infinity, max = Infinity, whole = false }) {
	return (parameter: string, given: unknown): number => {
		const text = typeof given === 'string' ? visibleText(given) : '';
		const value = /^-?[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : (given as number);
		const isExact = whole ? Number.isSafeInteger(value) : Number.isFinite(value) && Math.abs(value) < 2 ** 53;
		if (isExact && value >= min && value <= max) return value;
		const bounds = [...(min > -Infinity ? [`at least ${min}`] : []), ...(max < Infinity ? [`at most ${max}`] : [])];
		const accepted = `Enter a ${whole ? 'whole ' : ''}number${bounds.length > 0 ? ' of ' : ''}${bounds.join(' and ')}`;
		throw new InvalidParameterError(parameter, given, accepted);
	};
}

/** A parser of enum values. */
export function oneOf(...values: Array<string | number>) {
	return (parameter: string, given: unknown): string | number => {
		const value = values.find((each) => String(each) === visibleText(String(given)));
		if (value !== undefined) return value;
		throw new InvalidParameterError(parameter, given, `Enter one of: ${values.join(', ')}`);
	};
}

/** Parses a list, given as JSON or, by an expression, as an array. @throws InvalidParameterError */
export function jsonArray(parameter: string, given: unknown): unknown[] {
	const isList = Array.isArray(given) || (typeof given === 'string' && given.trim().startsWith('['));
	const wrapped = typeof given === 'string' ? `{"list":${given}}` : { list: given };
	const { list, ...others } = isList ? jsonObject(parameter, wrapped) : {};
	if (Array.isArray(list) && Object.keys(others).length === 0) return list;
	throw new InvalidParameterError(parameter, given, 'Enter a JSON list, e.g. [{ "name": "Example" }]');
}
