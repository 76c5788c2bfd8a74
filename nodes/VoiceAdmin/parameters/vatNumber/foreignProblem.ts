import { countryOf } from '../countries';
import { UNLESS_RIGHT, type VatNumberProblem } from './italianProblem';

/**
 * For the letters of a VAT number: what follows them, without white space, dots and hyphens, and the whole in words. For the
 * European Union and XI as VIES documents it, but stricter where the country is: no O and I in France, only digits in the
 * Netherlands, no check letter after W in Ireland. Italy has `italianProblem`.
 */
const FORMATS: Record<string, [pattern: RegExp, inWords: string]> = {
	AT: [/U\d{8}/, 'ATU and 8 digits'],
	BE: [/[01]\d{9}/, 'BE and 10 digits, the first of them 0 or 1'],
	BG: [/\d{9,10}/, 'BG and 9 or 10 digits'],
	CY: [/\d{8}[A-Z]/, 'CY, 8 digits and a letter'],
	CZ: [/\d{8,10}/, 'CZ and 8 to 10 digits'],
	DE: [/\d{9}/, 'DE and 9 digits'],
	DK: [/\d{8}/, 'DK and 8 digits'],
	EE: [/\d{9}/, 'EE and 9 digits'],
	EL: [/\d{9}/, 'EL and 9 digits'],
	GR: [/\d{9}/, 'GR (or EL) and 9 digits'],
	ES: [/[A-Z]\d{7}[A-Z\d]|\d{8}[A-Z]/, 'ES and 9 digits, the first, the last or both replaced by a letter'],
	FI: [/\d{8}/, 'FI and 8 digits'],
	FR: [/[\dA-HJ-NP-Z]{2}\d{9}/, 'FR, 2 digits or letters (not I or O), and 9 digits'],
	HR: [/\d{11}/, 'HR and 11 digits'],
	HU: [/\d{8}/, 'HU and 8 digits'],
	IE: [/\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W]/, 'IE, 7 digits (the second may be a letter), 1 or 2 letters'],
	LT: [/\d{9}|\d{12}/, 'LT and 9 or 12 digits'],
	LU: [/\d{8}/, 'LU and 8 digits'],
	LV: [/\d{11}/, 'LV and 11 digits'],
	MT: [/\d{8}/, 'MT and 8 digits'],
	NL: [/\d{9}B\d{2}/, 'NL, 9 digits, B and 2 digits'],
	PL: [/\d{10}/, 'PL and 10 digits'],
	PT: [/\d{9}/, 'PT and 9 digits'],
	RO: [/\d{2,10}/, 'RO and 2 to 10 digits'],
	SE: [/\d{12}/, 'SE and 12 digits'],
	SI: [/\d{8}/, 'SI and 8 digits'],
	SK: [/\d{10}/, 'SK and 10 digits'],
	XI: [/\d{9}|\d{12}|(?:GD|HA)\d{3}/, 'XI and 9 or 12 digits, or GD or HA and 3 digits'],
	GB: [/\d{9}|\d{12}|(?:GD|HA)\d{3}/, 'GB and 9 or 12 digits, or GD or HA and 3 digits'],
	CH: [/E\d{9}/, 'CHE and 9 digits, with or without MWST, TVA or IVA'],
	NO: [/\d{9}/, 'NO and 9 digits, with or without MVA'],
	// Otherwise VAT12345678903 would be a number of the Vatican.
	VA: [/\d{2,20}/, 'VA and digits'],
};

/** The same for all other countries, but of the number as it is given. */
const OTHER_FORMAT: (typeof FORMATS)[string] = [
	/^(?=(?:[^0-9]*[0-9]){2})[A-Z0-9+*&./-]{2,20}$/,
	'two letters and 2 to 20 letters, digits or + * & . / -, two of them digits, without spaces',
];

/** Suffixes in Switzerland, in three of its languages, and in Norway. */
const SUFFIX = /(?<=^CHE[0-9]{9})(?:MWST|TVA|IVA)$|(?<=^NO[0-9]{9})MVA$/;

/** Letters of a VAT number that are no code of ISO 3166. */
const OTHER_LETTERS: Record<string, string> = { EL: 'Greece', XI: 'Northern Ireland', EU: 'the European Union' };

const ENTER_LETTERS = `Enter only the number: 11 digits for Italy, otherwise with its country's two letters${UNLESS_RIGHT}`;
const LOOK_FOR_TYPO = `Look for a missing, extra or mistyped character${UNLESS_RIGHT}`;

/** A number, in upper case and without separators, without such a suffix. */
export function withoutSuffix(number: string): string {
	return number.replace(SUFFIX, '');
}

/**
 * What is wrong with the form of a VAT number that is not Italian.
 * @param given in upper case, without white space around it
 * @returns undefined for a good one
 */
export function foreignProblem(given: string): VatNumberProblem | undefined {
	const letters = given.slice(0, 2);
	const country = countryOf(letters);
	const name = OTHER_LETTERS[letters] ?? (country?.codes.includes(letters) ? country.names[0] : undefined);
	if (name === undefined)
		return [
			'It neither has 11 digits (Italy) nor begins with the two letters of a country',
			country ? `Enter ${country.codes[0]} in place of ${letters}` : ENTER_LETTERS,
		];
	const [pattern, inWords] = FORMATS[letters] ?? OTHER_FORMAT;
	const number = letters in FORMATS ? withoutSuffix(given.replace(/[\s.-]/g, '')) : given;
	const isValid = new RegExp(`^(?:${pattern.source})$`).test(number.slice(2));
	return isValid ? undefined : [`A VAT number of ${name} is ${inWords}`, LOOK_FOR_TYPO];
}
