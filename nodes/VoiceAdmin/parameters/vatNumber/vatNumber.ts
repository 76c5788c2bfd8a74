import type { IDataObject } from 'n8n-workflow';

import { InvalidParameterError, isBlank } from '../invalidParameterError';

/** The API's field, then its two legacy aliases, which the service accepts as well. */
const VAT_NUMBER_PROPERTIES = ['vatNumber', 'pIva', 'piva'];

const ACCEPTED = 'Enter the VAT number as text, e.g. IT12345678903';

/**
 * Parses a VAT number, given as text or as a whole number, without the white space around it.
 *
 * @throws InvalidParameterError
 */
export function vatNumber(parameter: string, given: unknown): string {
	if (typeof given === 'number' && Number.isSafeInteger(given)) return String(given);
	if (typeof given !== 'string') throw new InvalidParameterError(parameter, given, ACCEPTED);
	return given.trim();
}

/**
 * Merges the VAT number of a customer (undefined for none) with its other fields, where it may stand under its name or an
 * alias. @throws InvalidParameterError when there is none, or when two that differ are given
 */
export function mergeVatNumber(given: string | undefined, otherFields: IDataObject): { vatNumber: string } & IDataObject {
	const candidates = given === undefined ? [] : [{ name: 'VAT Number', value: given }];
	const rest = Object.entries(otherFields).filter(([property, value]) => {
		if (!VAT_NUMBER_PROPERTIES.includes(property)) return true;
		const name = `Other Fields → ${property}`;
		if (!isBlank(value)) candidates.push({ name, value: vatNumber(name, value) });
		return false;
	});
	const [first, ...others] = candidates;
	if (!first) throw new InvalidParameterError('VAT Number', undefined, ACCEPTED);
	const conflict = others.find(({ value }) => value !== first.value);
	if (conflict) {
		const accepted = `'${first.name}' is already ${JSON.stringify(first.value)}. Enter one VAT number, in one place`;
		throw new InvalidParameterError(conflict.name, conflict.value, accepted);
	}
	return { vatNumber: first.value, ...(Object.fromEntries(rest) as IDataObject) };
}

/**
 * Checks an Italian VAT number (partita IVA): 11 digits, with or without the prefix `IT`, the last of which is a check
 * digit (Luhn). Other values pass, as they may be foreign. @throws InvalidParameterError
 */
export function checkItalianVatNumber(parameter: string, given: string): void {
	const digits = given.replace(/^IT/i, '');
	const isComplete = /^[0-9]{11}$/.test(digits);
	if (digits === given && !isComplete) return;
	if (isComplete && hasLuhnDigit(digits)) return;
	const problem = isComplete ? 'The check digit of this Italian VAT number is wrong' : 'An Italian VAT number has 11 digits after IT';
	throw new InvalidParameterError(parameter, given, `${problem}. Look for a mistyped digit, or turn off 'Validate VAT Number'`);
}

function hasLuhnDigit(digits: string): boolean {
	const sum = [...digits].reduce((total, digit, index) => {
		const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
		return total + (value > 9 ? value - 9 : value);
	}, 0);
	return sum % 10 === 0;
}
