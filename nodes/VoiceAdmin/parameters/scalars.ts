import { InvalidParameterError } from './invalidParameterError';
import { visibleText } from './invisible';

/** Parses a switch: a boolean or, as spreadsheets give it, the text "true" or "false". @throws InvalidParameterError */
export function boolean(parameter: string, given: unknown): boolean {
	if (typeof given === 'boolean') return given;
	const text = typeof given === 'string' ? given.trim().toLowerCase() : '';
	if (text !== 'true' && text !== 'false') throw new InvalidParameterError(parameter, given, 'Enter true or false');
	return text === 'true';
}

/**
 * Parses a whole number that is not negative, given as a number or, as spreadsheets and forms give it, in ASCII digits.
 *
 * @throws InvalidParameterError, also beyond 2^53 - 1, from where on JavaScript would send another number
 */
export function integer(parameter: string, given: unknown): number {
	const value = asInteger(given);
	if (value === undefined) throw new InvalidParameterError(parameter, given, 'Enter a whole number, e.g. 1001');
	return value;
}

/** A parser of whole numbers from `min` to `max`. */
export function integerBetween(min: number, max: number) {
	return (parameter: string, given: unknown): number => {
		const value = asInteger(given);
		if (value !== undefined && value >= min && value <= max) return value;
		throw new InvalidParameterError(parameter, given, `Enter a whole number from ${min} to ${max}`);
	};
}

function asInteger(given: unknown): number | undefined {
	const text = typeof given === 'string' ? visibleText(given) : '';
	const value = /^[0-9]+$/.test(text) ? Number(text) : given;
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

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
