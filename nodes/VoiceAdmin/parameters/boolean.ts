import { isBlank, InvalidParameterError } from './invalidParameterError';

/**
 * Parses a switch, given as a boolean or, as expressions and spreadsheets give it, as the text "true" or "false";
 * empty means off.
 *
 * @throws InvalidParameterError
 */
export function boolean(parameter: string, given: unknown): boolean {
	if (typeof given === 'boolean') return given;
	if (isBlank(given)) return false;
	const text = typeof given === 'string' ? given.trim().toLowerCase() : '';
	if (text !== 'true' && text !== 'false') throw new InvalidParameterError(parameter, given, 'Enter true or false');
	return text === 'true';
}
