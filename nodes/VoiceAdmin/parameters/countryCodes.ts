import { InvalidParameterError, isBlank } from './invalidParameterError';

/** Two or three letters, or three digits, in ASCII: ISO 3166-1 alpha-2, alpha-3 and numeric. */
const ISO_CODE = /^(?:[A-Za-z]{2,3}|[0-9]{3})$/;

const ACCEPTED = 'Enter ISO country codes of two or three letters or three digits, separated by commas, e.g. IT, FR';

/**
 * Parses one or more country codes, separated by commas or given as a list; gives them in upper case and in order.
 * @throws InvalidParameterError that shows the one code that is not valid
 */
export function countryCodes(parameter: string, given: unknown): string[] {
	const parts = (Array.isArray(given) ? given : [given]).flatMap((part: unknown) => {
		if (typeof part === 'number') return [String(part)];
		if (isBlank(part)) return [];
		if (typeof part !== 'string') throw new InvalidParameterError(parameter, part, ACCEPTED);
		return part.split(',');
	});
	const codes = parts.map((part) => part.trim()).filter((part) => part !== '');
	if (codes.length === 0) throw new InvalidParameterError(parameter, undefined, ACCEPTED);
	return codes.map((code) => {
		// Before upper-casing, which turns some letters outside ASCII into ASCII ones.
		if (!ISO_CODE.test(code)) throw new InvalidParameterError(parameter, code, ACCEPTED);
		return code.toUpperCase();
	});
}
