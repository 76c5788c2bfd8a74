import { isBlank, Refusal } from './invalidParameterError';

/** Two or three letters, or three digits, in ASCII: ISO 3166-1 alpha-2, alpha-3 and numeric. */
const ISO_CODE = /^(?:[A-Za-z]{2,3}|[0-9]{3})$/;

/**
 * Reads one or more country codes, separated by commas or given as a list, in upper case and in order.
 *
 * @throws Refusal that shows the one code that is not accepted
 */
export function isoCodes(parameter: string, given: unknown): string[] {
	const accepted =
		'Give ISO country codes of two or three letters or three digits, separated by commas, e.g. IT, FR';
	const parts = (Array.isArray(given) ? given : [given]).flatMap((part: unknown) => {
		if (typeof part === 'number') return [String(part)];
		if (isBlank(part)) return [];
		if (typeof part !== 'string') throw new Refusal(parameter, part, accepted);
		return part.split(',');
	});
	const codes = parts.map((part) => part.trim()).filter((part) => part !== '');
	if (codes.length === 0) throw new Refusal(parameter, undefined, accepted);
	return codes.map((code) => {
		// Before upper-casing, which turns some letters outside ASCII into ASCII ones.
		if (!ISO_CODE.test(code)) throw new Refusal(parameter, code, accepted);
		return code.toUpperCase();
	});
}
