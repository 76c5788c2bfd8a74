import { InvalidParameterError } from './invalidParameterError';

/**
 * Parses a whole number, given as a number or, as spreadsheets and forms give it, in ASCII digits.
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
	const value = typeof given === 'string' && /^\s*-?[0-9]+\s*$/.test(given) ? Number(given) : given;
	return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}
