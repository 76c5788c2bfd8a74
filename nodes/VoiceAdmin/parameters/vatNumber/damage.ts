/** What spreadsheets, programs and people write where a value is missing, in letters only: `#N/D`, `n.a.`, `[object Object]`. */
const PLACEHOLDERS = `
	nd na nan null nullo nil none nessuna nessuno undefined missing unknown sconosciuta sconosciuto assente mancante empty blank
	vuota vuoto true false vero falso tbd tba todo notavailable nondisponibile dadefinire dainserire objectobject x xx xxx
`.trim().split(/\s+/);

/** First words of what stands before a number. Most begin with a country's letters: VAT (Vatican), SIREN (Slovenia). */
const LABELS = `
	PIVA PARTIVA PARTITAIVA VAT TVA IVA UST MWST BTW MOMS MVA ALV NIF CIF NIP CUI RUC RUT GST AFM CVR SIRE TIN EIN UID COD STEUER TAX NUM
`.trim().split(' ');

/** The same, before digits: partita IVA, codice fiscale, number (Nauru), and identifier (Indonesia, where one has 15 digits). */
const SHORT_LABELS = ['PI', 'CF', 'NR', 'ID', 'INN'];

/** Words of three letters or more that a number may have beside it: in Austria, Switzerland and Norway. */
const PARTS = ['ATU', 'CHE', 'MWST', 'TVA', 'IVA', 'MVA'];

/** Six letters, two digits, a letter of the month, two digits, four for the town, a check letter; letters may replace digits. */
const CODICE_FISCALE = /[A-Z]{6}[0-9L-NP-V]{2}[A-EHLMPRST][0-9L-NP-V]{2}[A-Z][0-9L-NP-V]{3}[A-Z]$/;

const AS_TEXT = 'Format the column as text and enter the number again';

/**
 * What a spreadsheet, a form or a copied text has done to a VAT number, and what to do: a sentence without its period.
 * @returns undefined if nothing is to be seen
 */
export function damageOf(given: string): string | undefined {
	if (isPlaceholder(given)) return "This is a placeholder for a value that is missing. Enter the customer's VAT number";
	const odd = /[^\s!-~]/u.exec(given)?.[0].codePointAt(0);
	if (odd !== undefined) {
		const code = odd.toString(16).toUpperCase().padStart(4, '0');
		return `It has a character that is no letter from A to Z and no digit, though it may look like one (U+${code}). Type the number again`;
	}
	const text = given.toUpperCase();
	const compact = text.replace(/\s/g, '');
	if (CODICE_FISCALE.test(compact)) return 'This is an Italian codice fiscale, not a VAT number. Enter the partita IVA, which has 11 digits';
	if (hasOtherWords(text, compact)) return 'Enter only the number, without other words, e.g. IT12345678903';
	if (hasTwoNumbers(text)) return 'These are two VAT numbers or more. Enter one, and use an item for each customer';
	if (/^(?:IT)?[0-9]+(?:[.,][0-9]+)?E[+-]?[0-9]+$/.test(compact)) return `A spreadsheet has shortened this number, and its last digits are lost. ${AS_TEXT}`;
	if (/^[A-Z]{0,2}[0-9]+[.,](?:0+|[0-9]{1,2})$/.test(compact)) return `A spreadsheet took this number for an amount, with a decimal point. ${AS_TEXT}`;
	if (/^-[0-9]/.test(compact)) return `A VAT number has no minus sign. ${AS_TEXT}`;
	return undefined;
}

/** Also `-`, `########`, and `0`, which a formula gives for an empty cell. */
function isPlaceholder(given: string): boolean {
	if (given.startsWith('#')) return true;
	const letters = given.toLowerCase().replace(/[^a-z]/g, '');
	return /^[ -0:-~–—]*$/.test(given) && (letters === '' || PLACEHOLDERS.includes(letters));
}

function hasOtherWords(text: string, compact: string): boolean {
	const words = text.split(/[\s-]+/).filter((word) => word !== '');
	// A company, a street or a month: SRL 12345678903, VIA ROMA 12, MAR-24.
	if (words.length > 1 && words.some((word) => /^[A-Z]{3,}$/.test(word) && !PARTS.includes(word))) return true;
	const before = /^[^0-9]*/.exec(compact)![0].replace(/[^A-Z]/g, '');
	if (SHORT_LABELS.includes(before) || LABELS.some((label) => before.startsWith(label))) return true;
	// "No." is Norway's letters, whose numbers have 9 digits, and no letters before them. "NR. IT…" and "ID: IT…" are alike.
	return /^(?:ID|NO|NR)[A-Z]{2}$/.test(before) || /^NO[^0-9]*[0-9]{11}$/.test(compact);
}

function hasTwoNumbers(text: string): boolean {
	const numbers = text.match(/[0-9]{11}|[A-Z]{2}[0-9]{5}/g) ?? [];
	const parts = text.split(/[,;/|&\r\n]/).filter((part) => (part.match(/[0-9]/g) ?? []).length > 6);
	return numbers.length > 1 || parts.length > 1;
}
