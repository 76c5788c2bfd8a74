import { isBlank, InvalidParameterError } from './invalidParameterError';

/** Parses a switch: a boolean or, as spreadsheets give it, the text "true" or "false"; empty is off. @throws InvalidParameterError */
export function boolean(parameter: string, given: unknown): boolean {
	if (typeof given === 'boolean') return given;
	if (isBlank(given)) return false;
	const text = typeof given === 'string' ? given.trim().toLowerCase() : '';
	if (text !== 'true' && text !== 'false') throw new InvalidParameterError(parameter, given, 'Enter true or false');
	return text === 'true';
}
