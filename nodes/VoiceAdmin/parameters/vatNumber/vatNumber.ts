import { countryOfCode, countryOfName } from '../countries';
import { InvalidParameterError } from '../invalidParameterError';
import { visibleText } from '../invisible';
import { damageOf } from './damage';
import { italianProblem } from './italian';

export const ACCEPTED = 'Enter the VAT number as text, e.g. IT12345678903';

/** A country's letters, then 2 to 13 characters, two of them digits, which are not all zeros. */
const FOREIGN = /^[A-Z]{2}(?=[^1-9]*[1-9])(?=(?:[^0-9]*[0-9]){2})[A-Z0-9.-]{2,13}$/;

/** By the European Commission's list of structures (VIES), these may have `+` and `*`. */
const IRISH_OR_DUTCH = /^(?:IE|NL)(?=[^1-9]*[1-9])(?=(?:[^0-9]*[0-9]){2})[A-Z0-9.+*-]{2,13}$/;

/** The full form on Swiss invoices, longer than others: CHE-123.456.789 MWST. */
const SWISS = /^CHE-?(?=[0.]*[1-9])[0-9]{3}\.?[0-9]{3}\.?[0-9]{3}(?:MWST|TVA|IVA)$/;

/** Letters of a VAT number that are no country code of ISO 3166: Greece and Northern Ireland. */
const VAT_ONLY = ['EL', 'XI'];

/**
 * Parses a VAT number, given as text or as a whole number, without white space around it and characters that nobody sees.
 * @throws InvalidParameterError, also for a number of fewer than 11 digits: it may have lost zeros, and nobody can tell
 */
export function vatNumber(parameter: string, given: unknown): string {
	if (typeof given === 'string') return visibleText(given);
	if (typeof given !== 'number' || !Number.isSafeInteger(given) || given < 0) throw new InvalidParameterError(parameter, given, ACCEPTED);
	const digits = String(given);
	if (digits.length < 11) throw new InvalidParameterError(parameter, given, italianProblem(digits)!);
	return digits;
}

/**
 * Checks a VAT number that `vatNumber` gave. The documented API has no way to change or delete a customer, so what is
 * neither an Italian number with a right check digit nor has the form of another country's is refused.
 *
 * @returns what is sent: in upper case and without white space, an Italian number also without dots and dashes
 * @throws InvalidParameterError that says what to do
 */
export function checkVatNumber(parameter: string, given: string): string {
	const number = given.replace(/\s/g, '').toUpperCase();
	const italian = number.replace(/[.-]/g, '');
	const isItalian = /^(?:IT|[0-9]+$)/.test(italian);
	const problem = damageOf(given) ?? (isItalian ? italianProblem(italian) : foreignProblem(number));
	if (problem !== undefined) throw new InvalidParameterError(parameter, given, problem);
	return isItalian ? italian : number;
}

function foreignProblem(number: string): string | undefined {
	const letters = number.slice(0, 2);
	const accepted = "Enter an Italian number, or another country's two letters and its number, e.g. DE123456789, or turn off 'Validate VAT Number'";
	if (VAT_ONLY.includes(letters) || countryOfCode(letters)) {
		if ([FOREIGN, IRISH_OR_DUTCH, SWISS].some((form) => form.test(number))) return undefined;
		return `After the letters ${letters}, a VAT number has 2 to 13 letters, digits, dots or dashes, at least two of them digits, and not only zeros. ${accepted}`;
	}
	const meant = countryOfName(letters);
	if (meant) return `${letters} is not the code of a country. Enter ${meant.codes[0]} if you mean it`;
	return /^[A-Z]{2}$/.test(letters) ? `${letters} is not the code of a country. ${accepted}` : accepted;
}
