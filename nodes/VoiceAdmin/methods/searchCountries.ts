import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { COUNTRIES, type Country } from './countries';

/**
 * The countries whose code is, or one of whose names holds, what was typed; accents and case do not
 * matter. An exact code comes first, then names that begin with it. Works without a network call.
 */
export async function searchCountries(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const typed = plain(filter);
	return {
		results: COUNTRIES.map((country) => ({ country, rank: rankOf(country, typed) }))
			.filter(({ rank }) => rank > 0)
			.sort((a, b) => b.rank - a.rank)
			.map(({ country: { code, name } }) => ({ name: `${name} (${code})`, value: code })),
	};
}

/** 3: the code; 2: the name, or another name of it, begins so; 1: it is somewhere in the name; 0: it is not. */
function rankOf({ code, name, also = '' }: Country, typed: string): number {
	if (plain(code) === typed) return 3;
	if ([name, ...also.split(', ')].some((each) => plain(each).startsWith(typed))) return 2;
	return plain(name).includes(typed) ? 1 : 0;
}

function plain(text: string): string {
	return text.normalize('NFD').replace(/[\u0300-\u036f]/g, '').replaceAll('’', "'").trim().toLowerCase();
}
