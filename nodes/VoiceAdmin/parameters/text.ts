import { InvalidParameterError } from './invalidParameterError';

/**
 * Parses text that is sent as it is; a number or a boolean, as a spreadsheet may give it, becomes text.
 *
 * @throws InvalidParameterError
 */
export function text(parameter: string, given: unknown): string {
	if (typeof given === 'string') return given;
	if (typeof given === 'number' || typeof given === 'boolean') return String(given);
	throw new InvalidParameterError(parameter, given, 'Enter text');
}
