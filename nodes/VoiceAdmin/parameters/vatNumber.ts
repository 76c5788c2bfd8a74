import type { IDataObject } from 'n8n-workflow';

import { isBlank, Refusal } from './invalidParameterError';

/** The API's canonical field, then the legacy aliases that it still accepts on input. */
const VAT_FIELDS = ['vatNumber', 'pIva', 'piva'] as const;

const ACCEPTED = 'Give the VAT number as text, e.g. IT12345678903';

/**
 * Finds the one VAT number of a customer, given in its own parameter or in Other Fields under its
 * canonical name or an alias, and takes all three names out of the other fields.
 *
 * @throws Refusal when there is none, or when two that differ are given
 */
export function takeVatNumber(
	parameter: string,
	given: unknown,
	otherFields: IDataObject,
): { vatNumber: string; rest: IDataObject } {
	const rest = Object.fromEntries(
		Object.entries(otherFields).filter(([name]) => !(VAT_FIELDS as readonly string[]).includes(name)),
	) as IDataObject;
	const named: Array<[string, string]> = [];
	if (!isBlank(given)) named.push([parameter, asText(parameter, given)]);
	for (const field of VAT_FIELDS) {
		if (Object.hasOwn(otherFields, field) && !isBlank(otherFields[field])) {
			named.push([`Other Fields → ${field}`, asText(`Other Fields → ${field}`, otherFields[field])]);
		}
	}
	const [first, ...others] = named;
	if (!first) throw new Refusal(parameter, undefined, ACCEPTED);
	const conflict = others.find(([, value]) => value !== first[1]);
	if (conflict) {
		throw new Refusal(
			conflict[0],
			conflict[1],
			`${first[0]} already says ${JSON.stringify(first[1])}: give one VAT number, in one place`,
		);
	}
	return { vatNumber: first[1], rest };
}

/**
 * Checks the check digit of an Italian VAT number (partita IVA): 11 digits, with or without the
 * prefix `IT`. Other values pass, as they may be foreign VAT numbers.
 *
 * Every second digit from the left is doubled, 9 is taken off what exceeds 9, and the sum of all
 * is a multiple of 10.
 *
 * @throws Refusal
 */
export function checkItalianVatNumber(parameter: string, vatNumber: string): void {
	const digits = /^(?:IT)?([0-9]{11})$/i.exec(vatNumber)?.[1];
	if (digits === undefined) return;
	const sum = [...digits].reduce((total, digit, index) => {
		const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
		return total + (value > 9 ? value - 9 : value);
	}, 0);
	if (sum % 10 !== 0) {
		throw new Refusal(
			parameter,
			vatNumber,
			'Its check digit is wrong for an Italian VAT number: look for a mistyped digit, or turn off "Validate VAT Number"',
		);
	}
}

function asText(name: string, given: unknown): string {
	if (typeof given === 'number' && Number.isSafeInteger(given)) return String(given);
	if (typeof given !== 'string') throw new Refusal(name, given, ACCEPTED);
	return given.trim();
}
