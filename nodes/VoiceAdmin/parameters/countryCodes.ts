import { countryOf } from './countries';
import { InvalidParameterError } from './invalidParameterError';
import { isBlank, visibleText } from './invisibleCharacters';

/** A request for each: more than there are countries is a mistake, and could keep n8n busy for a long time. */
const MAX_CODES = 300;

/** Two or three letters, or three digits, in ASCII: ISO 3166-1 alpha-2, alpha-3 and numeric. */
const ISO_CODE = /^(?:[A-Za-z]{2,3}|[0-9]{3})$/;

const ACCEPTED = 'Enter ISO country codes of two or three letters or three digits, separated by commas, e.g. IT, FR';

/**
 * Parses one or more country codes, separated by commas or given as a list; gives each once, in upper case and in order, and
 * of several codes of a country the first.
 * @throws InvalidParameterError that shows the one code that is not valid
 */
export function countryCodes(parameter: string, given: unknown): string[] {
	const codes = new Map<string, string>();
	const values: unknown[] = Array.isArray(given) ? given : [given];
	// Each text once, also among a million of them.
	for (const entry of new Set(values.flatMap((value) => (typeof value === 'string' ? value.split(',') : [value])))) {
		if (isBlank(entry)) continue;
		if (typeof entry !== 'string' && typeof entry !== 'number') throw new InvalidParameterError(parameter, entry, ACCEPTED);
		const code = parseCode(parameter, entry);
		const country = countryOf(code)?.codes[0] ?? code;
		if (!codes.has(country)) codes.set(country, code);
	}
	if (codes.size > MAX_CODES) {
		throw new InvalidParameterError(parameter, given, `Enter at most ${MAX_CODES} per item`, `has ${codes.size} codes`);
	}
	if (codes.size === 0) throw new InvalidParameterError(parameter, undefined, ACCEPTED);
	return [...codes.values()];
}

function parseCode(parameter: string, given: string | number): string {
	const text = typeof given === 'number' ? String(given) : visibleText(given);
	// A number, or a spreadsheet that has made one of the code, has lost the zeros: 4 is 004, Afghanistan.
	const code = /^[0-9]{1,2}$/.test(text) ? text.padStart(3, '0') : text;
	const problem = codeProblem(code);
	if (problem !== undefined) throw new InvalidParameterError(parameter, typeof given === 'number' ? given : text, problem + ACCEPTED);
	// After the check: it turns some letters outside ASCII into ASCII ones.
	return code.toUpperCase();
}

/** Whether a country has the code is for the service to say. @returns undefined for a code, else what is wrong, or '' */
function codeProblem(code: string): string | undefined {
	if (code.toUpperCase() === 'NAN') return 'NaN means that an expression could not convert a value to a number. ';
	const country = countryOf(code);
	if (country && !country.codes.includes(code.toUpperCase())) return `Did you mean ${country.codes[0]}? `;
	if (ISO_CODE.test(code) && code !== '000') return undefined;
	return /^-?[0-9.]+$/.test(code) ? 'A numeric code is a whole number from 1 to 999. ' : '';
}
