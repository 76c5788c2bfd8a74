import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { countries, normalizeName } from '../parameters/countries';

/**
 * Countries with exactly this code, with the text anywhere in the English name, or with a word of another name that
 * begins with it; accents and case do not matter. An exact code comes first, then names that begin so. Works without a network call.
 */
export async function searchCountries(this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
	const typed = normalizeName(filter);
	const code = /[0-9]/.test(typed) ? typed.padStart(3, '0') : typed.toUpperCase();
	const withCode = countries().filter(({ codes }) => codes.includes(code));
	const withName = countries().filter(
		({ names: [english, ...others] }) =>
			normalizeName(english!).includes(typed) || others.some((name) => ` ${normalizeName(name)}`.includes(` ${typed}`)),
	);
	const beginning = withName.filter(({ names }) => names.some((name) => normalizeName(name).startsWith(typed)));
	return {
		results: [...new Set([...withCode, ...beginning, ...withName])].map(({ names: [name], codes: [value] }) => ({
			name: `${name} (${value})`,
			value,
		})),
	};
}
