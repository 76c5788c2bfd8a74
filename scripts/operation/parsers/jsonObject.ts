import { InvalidParameterError } from '../../../nodes/VoiceAdmin/parameters/invalidParameterError';
import { jsonObject } from '../../../nodes/VoiceAdmin/parameters/jsonObject';

/** Parses a list, given as JSON or, by an expression, as an array. @throws InvalidParameterError */
export function jsonArray(parameter: string, given: unknown): unknown[] {
	const isList = Array.isArray(given) || (typeof given === 'string' && given.trim().startsWith('['));
	const { list, ...others } = isList
		? jsonObject(parameter, typeof given === 'string' ? `{"list":${given}}` : { list: given })
		: {};
	if (Array.isArray(list) && Object.keys(others).length === 0) return list;
	throw new InvalidParameterError(parameter, given, 'Enter a JSON list, e.g. [{ "name": "Example" }]');
}
