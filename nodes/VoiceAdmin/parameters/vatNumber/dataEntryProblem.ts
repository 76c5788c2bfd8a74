import { withoutSuffix } from './vatNumberKey';

/** What is wrong with a VAT number, which is enough for a form, and what to do in n8n: sentences without their periods. */
export type VatNumberProblem = [wrong: string, advice: string];

/** Six letters, two digits, a letter of the month, two digits, four for the town, a check letter; letters may replace digits. */
const CODICE_FISCALE = /[A-Z]{6}[0-9L-NP-V]{2}[A-EHLMPRST][0-9L-NP-V]{2}[A-Z][0-9L-NP-V]{3}[A-Z]$/;

/** A label is an abbreviation, which a country's letters are not: `No. DE136695976`, `P.I. 12345678903`, `ID: IT12345678903`. */
const LABEL = /^(?!IT)[A-Z.]*[A-Z][.:]\s/;

/** The same without punctuation, though VA, CF, NO and NR are countries: none of them has 11 digits. */
const LABEL_OF_ITALIAN = /^(?:VAT|CF|N[OR])[^A-Z0-9]*(?:IT)?[0-9]{11}$/;

/** What numbers of Austria and Switzerland begin with. */
const THREE_LETTER_PREFIX = /^(?:ATU|CHE)/;

const SPREADSHEET_PROBLEMS: Array<[pattern: RegExp, wrong: string]> = [
	[
		/^(?:(?:IT)?[0-9][0-9.,]*E[+-]?|[A-Z]{2}[0-9][0-9.,]*E[+-])[0-9]+$/,
		'A spreadsheet has shortened this number, and its last digits are lost',
	],
	[/^[A-Z]{0,2}[0-9]+[.,](?:0+|[0-9]{1,2})$/, 'A spreadsheet read this number as an amount, with a decimal point'],
	[/^[A-Z]{3}-[0-9]{2}$/, 'A spreadsheet read this number as a date'],
	[/^-[0-9]/, 'A VAT number has no minus sign'],
];

/** What a spreadsheet, a form or a copied text has done to a VAT number. @returns undefined if there is nothing to see */
export function dataEntryProblem(given: string): VatNumberProblem | undefined {
	if (!/(?!0)\p{Nd}/u.test(given)) {
		return [
			'This has no digit from 1 to 9, and may be a placeholder for a missing value',
			"Enter the customer's VAT number",
		];
	}
	const unexpected = /[^\s!-~]/u.exec(given)?.[0].codePointAt(0);
	if (unexpected !== undefined) {
		const code = unexpected.toString(16).toUpperCase().padStart(4, '0');
		return [
			`It has a character other than A to Z and 0 to 9, though it may look like one (U+${code})`,
			'Type the number again',
		];
	}
	const text = given.toUpperCase();
	const compact = text.replace(/\s/g, '');
	if (CODICE_FISCALE.test(compact))
		return ['This is an Italian codice fiscale, not a VAT number', 'Enter the partita IVA, which has 11 digits'];
	if (hasOtherWords(text) || LABEL_OF_ITALIAN.test(compact))
		return ['This has words besides the number', 'Enter only the number, without spaces, e.g. IT12345678903'];
	if (hasTwoNumbers(text)) return ['These are two or more VAT numbers', 'Enter one, and use an item for each customer'];
	const bySpreadsheet = SPREADSHEET_PROBLEMS.find(([pattern]) => pattern.test(compact));
	return bySpreadsheet && [bySpreadsheet[1], 'Format the column as text and enter the number again'];
}

/** A company, a street or a label: `SRL 12345678903`, `via Roma 12`, `VAT no. 123456789`. */
function hasOtherWords(text: string): boolean {
	const groups = withoutSuffix(text).replace(THREE_LETTER_PREFIX, '').split(/\s+/);
	return LABEL.test(text) || groups.some((group) => /[A-Z]{3}/.test(group) && !/[0-9]/.test(group));
}

function hasTwoNumbers(text: string): boolean {
	return text.split(/[\s,;|&]+/).filter((entry) => (entry.match(/[0-9]/g) ?? []).length > 6).length > 1;
}
