/** What follows the advice for a number that may be right all the same. */
export const UNLESS_RIGHT =
	". Only if your customer confirms the number, send this item alone, with the option 'Validate VAT Number' turned off: it applies to all items";

/** What is wrong with a VAT number, which is enough for a form, and what to do in n8n: sentences without their periods. */
export type VatNumberProblem = [wrong: string, advice: string];

/**
 * What is wrong with an Italian VAT number (partita IVA), or with digits that may be one.
 * @param given digits with or without IT, in upper case and without spaces, dots and dashes
 * @returns undefined for a valid one
 */
export function italianProblem(given: string): VatNumberProblem | undefined {
	const digits = given.replace(/^IT/, '');
	const orForeign = digits === given ? ". If it's another country's, put the two letters of the country before it" : '';
	if (!/^[0-9]+$/.test(digits))
		return ['An Italian VAT number has 11 digits after IT, and nothing else', 'Look for a letter in place of a digit'];
	const count = `An Italian VAT number has 11 digits, and this has ${digits.length}`;
	if (digits.length < 11) {
		const completed = digits.padStart(11, '0');
		const isLikely = checkDigitProblem(completed) === undefined ? ' (the check digit would be right with them)' : '';
		return [
			count,
			`A spreadsheet may have removed its leading zeros${isLikely}. Format the column as text and enter all digits${orForeign}`,
		];
	}
	if (digits.length > 11) return [count, `Look for an extra digit${orForeign}`];
	const wrong = checkDigitProblem(digits);
	return wrong === undefined ? undefined : [wrong, `Look for a mistyped digit${UNLESS_RIGHT}${orForeign}`];
}

/** By Luhn's algorithm, which 11 zeros satisfy; the first seven digits are the company's number. */
function checkDigitProblem(digits: string): string | undefined {
	if (digits.startsWith('0000000')) return 'No Italian VAT number begins with seven zeros';
	const sum = [...digits].reduce((total, digit, index) => {
		const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
		return total + (value > 9 ? value - 9 : value);
	}, 0);
	return sum % 10 === 0 ? undefined : 'The check digit of this Italian VAT number is wrong';
}
