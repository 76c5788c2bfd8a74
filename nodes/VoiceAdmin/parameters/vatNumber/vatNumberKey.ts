import { withoutSuffix } from './foreignProblem';

/** Separators that make a number easier to read. */
const SEPARATORS = /[\s./_-]/g;

/**
 * A key for a VAT number, the same for each of its spellings: `IT 0102.030.4059` and `01020304059` are `IT01020304059`. What is
 * sent stays as it was entered.
 */
export function vatNumberKey(given: string): string {
	const number = withoutSuffix(given.normalize('NFKC').toUpperCase().replace(SEPARATORS, ''));
	if (/^[0-9]{11}$/.test(number)) return `IT${number}`;
	return (
		number
			// The letters of the language.
			.replace(/^GR/, 'EL')
			// A company in Northern Ireland has one number, with either letters.
			.replace(/^XI/, 'GB')
			// Monaco's numbers are French.
			.replace(/^MC/, 'FR')
			// Nine digits until a zero was put before them.
			.replace(/^BE(?=[0-9]{9}$)/, 'BE0')
			// Zeros at the beginning are often left out.
			.replace(/^SM0+(?=[0-9])/, 'SM')
	);
}
