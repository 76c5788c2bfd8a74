import { getAlpha2Codes } from 'i18n-iso-countries';
import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { searchCountries } from '../../nodes/VoiceAdmin/methods/searchCountries';

const search = async (typed?: string) =>
	(await searchCountries.call({} as ILoadOptionsFunctions, typed)).results;

describe('the country list', () => {
	test('has every current entry of ISO 3166-1 once', async () => {
		// XK (Kosovo) is a user-assigned code, not an entry of the standard.
		const standard = Object.keys(getAlpha2Codes()).filter((code) => code !== 'XK');
		expect((await search()).map(({ value }) => value).sort()).toEqual(standard.sort());
	});

	test('has all countries by name without a filter', async () => {
		const all = await search();
		expect(all).toHaveLength(249);
		expect(all[0]).toEqual({ name: 'Afghanistan (AF)', value: 'AF' });
		expect(await search('')).toEqual(all);
	});

	test.each([
		['ita', 'IT'],
		['IT', 'IT'],
		['germ', 'DE'],
		['turkey', 'TR'],
		['türk', 'TR'],
		['aland', 'AX'],
		["cote d'iv", 'CI'],
		['usa', 'US'],
		['United King', 'GB'],
		['holland', 'NL'],
		['  france ', 'FR'],
	])('a search for %j finds %s first', async (typed, code) => {
		expect((await search(typed))[0]?.value).toBe(code);
	});

	test('a search for "ita" finds Italy and Mauritania, but not Britain, which has it inside another name only', async () => {
		expect((await search('ita')).map(({ value }) => value)).toEqual(['IT', 'MR']);
	});

	test('a search for no name of a country finds nothing', async () => {
		expect(await search('atlantis')).toEqual([]);
	});
});
