import { InvalidParameterError } from '../invalidParameterError';
import { visibleText } from '../invisibleCharacters';
import { foreignProblem } from './foreignProblem';
import { italianProblem, type VatNumberProblem } from './italianProblem';

export const ACCEPTED =
	"Enter the VAT number as text: 11 digits for Italy, otherwise its country's two letters and the number";

/** Of a person; letters may replace its digits. */
const CODICE_FISCALE = /^[A-Z]{6}[0-9L-NP-V]{2}[A-T][0-9L-NP-V]{2}[A-Z][0-9L-NP-V]{3}[A-Z]$/i;

/** 1,2E+10, 1234567890.3, -1234567890 and MAR-24. */
const AMOUNT_OR_DATE =
	/^(?:[A-Z]{0,2}[0-9.,]+E[+-][0-9]+|[A-Z]{0,2}[0-9]+[.,][0-9]{1,2}|-.*|[A-Z]{3,}[./-](?:20)?[0-9]{2})$/i;

/** What would pass as the number of some country, or needs advice of its own; without white space. */
const MISTAKES: Array<[pattern: RegExp, problem: VatNumberProblem]> = [
	[/[^!-~]/, ['It has a character other than A to Z and 0 to 9, though it may look like one', 'Type the number again']],
	[/^[^1-9]*$/, ['This has no digit from 1 to 9', "Enter the customer's VAT number"]],
	[/^(?:CF|NR)[0-9]{11}$/i, ["CF and NR aren't part of an Italian number", 'Enter only its 11 digits']],
	[CODICE_FISCALE, ['This is an Italian codice fiscale', 'Enter the VAT number (partita IVA), which has 11 digits']],
	[AMOUNT_OR_DATE, ['A spreadsheet may have changed this number', 'Format the column as text and enter it again']],
];

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
	const compact = given.replace(/\s/g, '');
	const number = compact.toUpperCase();
	const italian = number.replace(/[.-]/g, '');
	const isItalian = /^(?:IT|[0-9]+$)/.test(italian);
	const mistake = MISTAKES.find(([pattern]) => pattern.test(compact))?.[1];
	const problem = mistake ?? (isItalian ? italianProblem(italian) : foreignProblem(given.toUpperCase()));
	if (problem !== undefined) throw invalidVatNumber(parameter, given, problem);
	return isItalian ? italian : number;
}

function invalidVatNumber(parameter: string, given: unknown, [wrong, description]: VatNumberProblem): Error {
	return Object.assign(new InvalidParameterError(parameter, given, wrong), { description });
}
