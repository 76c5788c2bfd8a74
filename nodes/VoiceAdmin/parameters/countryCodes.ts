import { countryOf } from './countries';
import { InvalidParameterError } from './invalidParameterError';
import { isBlank, visibleText } from './invisibleCharacters';

/** One request each: more codes than countries are a mistake, and could keep n8n busy for long. */
const MAX_CODES = 300;

/** Two or three letters, or three digits, in ASCII: ISO 3166-1 alpha-2, alpha-3 and numeric. */
const ISO_CODE = /^(?:[A-Za-z]{2,3}|[0-9]{3})$/;

/** Unicode's format characters that a copied text may have. n8n makes the pattern without the flag "u". */
const INVISIBLE = '\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufeff';

const CODE = `(?:[A-Za-z](?:[${INVISIBLE}]*[A-Za-z]){1,2}|[0-9](?:[${INVISIBLE}]*[0-9]){2})`;

/** For the editor: one or more codes, separated by commas, as `countryCodes` takes them. */
export const COUNTRY_CODES_PATTERN = `[\\s${INVISIBLE},]*${CODE}(?:[\\s${INVISIBLE}]*,[\\s${INVISIBLE},]*${CODE})*[\\s${INVISIBLE},]*`;

const ACCEPTED = 'Enter ISO country codes of two or three letters or three digits, separated by commas';

/**
 * Parses country codes, separated by commas or given as a list. @returns each country's first code, in upper case and in order
 * @throws InvalidParameterError that shows the invalid code
 */
export function countryCodes(parameter: string, given: unknown): string[] {
	const codes = new Map<string, string>();
	const values: unknown[] = Array.isArray(given) ? given : [given];
	// Each text once, as there may be a million.
	for (const entry of new Set(values.flatMap((value) => (typeof value === 'string' ? value.split(',') : [value])))) {
		if (isBlank(entry)) continue;
		if (typeof entry !== 'string' && typeof entry !== 'number')
			throw new InvalidParameterError(parameter, entry, ACCEPTED);
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
	const code = typeof given === 'number' ? String(given) : visibleText(given);
	const problem = codeProblem(code);
	if (problem !== undefined)
		throw new InvalidParameterError(parameter, typeof given === 'number' ? given : code, problem + ACCEPTED);
	// After validation: it turns some non-ASCII letters into ASCII ones.
	return code.toUpperCase();
}

/**
 * What is wrong with the form of a code; the service decides whether it is assigned. A shorter number may have lost its zeros, or be a
 * dialing prefix: 44 is no code, and 044 the Bahamas.
 * @returns undefined for nothing, '' if `ACCEPTED` says enough
 */
function codeProblem(code: string): string | undefined {
	if (code.toUpperCase() === 'NAN') return "NaN means that an expression couldn't convert a value to a number. ";
	const country = countryOf(code);
	if (country && !country.codes.includes(code.toUpperCase())) return `Did you mean ${country.codes[0]}? `;
	if (ISO_CODE.test(code) && code !== '000') return undefined;
	return /^-?[0-9.]+$/.test(code) ? "A numeric code has three digits, and isn't a dialing prefix. " : '';
}
