import { InvalidParameterError } from './invalidParameterError';
import { visibleText } from './invisibleCharacters';

/** Parses a boolean or, as in spreadsheets, the text "true" or "false". @throws InvalidParameterError */
export function boolean(parameter: string, given: unknown): boolean {
	if (typeof given === 'boolean') return given;
	const text = typeof given === 'string' ? given.trim().toLowerCase() : '';
	if (text !== 'true' && text !== 'false') throw new InvalidParameterError(parameter, given, 'Enter true or false');
	return text === 'true';
}

/**
 * Creates a parser of whole numbers from `min` to `max`, given as a number or (by spreadsheets and forms) in ASCII digits. Rejects
 * numbers beyond 2^53 - 1, which JavaScript would round.
 */
export function integerBetween(min: number, max: number, accepted = `Enter a whole number from ${min} to ${max}`) {
	return (parameter: string, given: unknown): number => {
		const text = typeof given === 'string' ? visibleText(given) : '';
		const value = /^[0-9]+$/.test(text) ? Number(text) : given;
		if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value;
		throw new InvalidParameterError(parameter, given, accepted);
	};
}

/** Parses a whole number that is not negative. @throws InvalidParameterError */
export const integer = integerBetween(0, Number.MAX_SAFE_INTEGER, 'Enter a whole number');

/** Parses text, sent unchanged; converts a number or boolean of a spreadsheet. @throws InvalidParameterError */
export function text(parameter: string, given: unknown): string {
	if (typeof given === 'string') return given;
	if (typeof given === 'number' || typeof given === 'boolean') return String(given);
	throw new InvalidParameterError(parameter, given, 'Enter text');
}
