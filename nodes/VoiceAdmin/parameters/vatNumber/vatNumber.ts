import { countryOf } from '../countries';
import { InvalidParameterError } from '../invalidParameterError';
import { visibleText } from '../invisibleCharacters';
import { dataEntryProblem, type VatNumberProblem } from './dataEntryProblem';
import { italianProblem } from './italianProblem';

export const ACCEPTED = 'Enter the VAT number as text, e.g. IT12345678903';

/** Another country's number, after its letters: 2 to 20 characters, two of them digits. */
const FOREIGN_NUMBER = /^(?=(?:[^0-9]*[0-9]){2})[A-Z0-9+*./-]{2,20}$/;

const FOREIGN_ADVICE =
	"Enter an Italian number, or another country's two letters and its number, e.g. DE123456789, or turn off 'Validate VAT Number'";

/** Letters of a VAT number that are no country code of ISO 3166: Greece, Northern Ireland, and the European Union's One Stop Shop. */
const VAT_ONLY_PREFIXES = ['EL', 'XI', 'EU'];

/**
 * Parses a VAT number, given as text or as a whole number, without white space around it and invisible characters.
 * @throws InvalidParameterError, also for a number of fewer than 11 digits: it may have lost zeros, and there is no way to tell
 */
export function vatNumber(parameter: string, given: unknown): string {
	if (typeof given === 'string') return visibleText(given);
	if (typeof given !== 'number' || !Number.isSafeInteger(given) || given < 0)
		throw new InvalidParameterError(parameter, given, ACCEPTED);
	const digits = String(given);
	if (digits.length < 11) throw invalidVatNumber(parameter, given, italianProblem(digits)!);
	return digits;
}

/**
 * Checks a VAT number that `vatNumber` gave. The documented API has no way to change or delete a customer, so what is
 * neither an Italian number with a right check digit nor has the form of another country's is refused.
 *
 * @returns what is sent: in upper case and without white space, an Italian number also without dots and dashes
 * @throws InvalidParameterError that says what is wrong; its `description` says what to do
 */
export function checkVatNumber(parameter: string, given: string): string {
	const number = given.replace(/\s/g, '').toUpperCase();
	const italian = number.replace(/[.-]/g, '');
	const isItalian = /^(?:IT|[0-9]+$)/.test(italian);
	const problem = dataEntryProblem(given) ?? (isItalian ? italianProblem(italian) : foreignProblem(number));
	if (problem !== undefined) throw invalidVatNumber(parameter, given, problem);
	return isItalian ? italian : number;
}

function foreignProblem(number: string): VatNumberProblem | undefined {
	if (/^LT[0-9]{11}$/.test(number))
		return ['A number of Lithuania (LT) has 9 or 12 digits', 'Enter IT in place of LT if the number is Italian'];
	const letters = number.slice(0, 2);
	const country = countryOf(letters);
	if (VAT_ONLY_PREFIXES.includes(letters) || country?.codes.includes(letters)) {
		if (FOREIGN_NUMBER.test(number.slice(2))) return undefined;
		return [
			`After the letters ${letters}, a VAT number has 2 to 20 letters, digits, or + * . / -, and at least two digits`,
			FOREIGN_ADVICE,
		];
	}
	if (!/[A-Z]{2}/.test(letters))
		return ['A VAT number has 11 digits (Italy), or begins with the two letters of its country', FOREIGN_ADVICE];
	return [
		`${letters} is not the code of a country`,
		country ? `Enter ${country.codes[0]} if you mean it` : FOREIGN_ADVICE,
	];
}

function invalidVatNumber(
	parameter: string,
	given: unknown,
	[wrong, description]: VatNumberProblem,
): InvalidParameterError {
	return Object.assign(new InvalidParameterError(parameter, given, wrong), { description });
}
