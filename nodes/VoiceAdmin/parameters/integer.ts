import { Refusal } from './invalidParameterError';

/**
 * Reads a whole number, given as a number or, as spreadsheets and forms give it, in ASCII digits.
 *
 * @throws Refusal, also beyond 2^53 - 1, from where on JavaScript would send another number
 */
export function integer(parameter: string, given: unknown): number {
	const value = asInteger(given);
	if (value === undefined) throw new Refusal(parameter, given, 'Give a whole number, e.g. 1001');
	return value;
}

/** The same within bounds, for settings of this node. @throws Refusal */
export function integerBetween(
	parameter: string,
	given: unknown,
	[least, most]: readonly [number, number],
): number {
	const value = asInteger(given);
	if (value === undefined || value < least || value > most) {
		throw new Refusal(parameter, given, `Give a whole number from ${least} to ${most}`);
	}
	return value;
}

function asInteger(given: unknown): number | undefined {
	const value =
		typeof given === 'string' && /^\s*-?[0-9]+\s*$/.test(given) ? Number(given) : given;
	return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}
