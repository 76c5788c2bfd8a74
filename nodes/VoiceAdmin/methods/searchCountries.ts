import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { countries, type Country, plain } from '../parameters/countries';

/**
 * The countries whose code is, or one of whose names holds, what was typed; accents and case do not
 * matter. An exact code comes first, then names that begin with it. Works without a network call.
 */
export async function searchCountries(this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
	const typed = plain(filter);
	return {
		results: countries()
			.map((country) => ({ country, rank: rankOf(country, typed) }))
			.filter(({ rank }) => rank > 0)
			.sort((a, b) => b.rank - a.rank)
			.map(({ country: { names: [name], codes: [code] } }) => ({ name: `${name} (${code})`, value: code })),
	};
}

/** 3: a code; 2: a name begins so; 1: it is somewhere in the English name, or begins a word of another; 0: it is not. */
function rankOf({ codes, names: [english, ...others] }: Country, typed: string): number {
	const code = /[0-9]/.test(typed) ? typed.padStart(3, '0') : typed.toUpperCase();
	if (codes.includes(code)) return 3;
	const names = [english!, ...others].map(plain);
	if (names.some((name) => name.startsWith(typed))) return 2;
	return names[0]!.includes(typed) || names.some((name) => name.includes(` ${typed}`)) ? 1 : 0;
}
