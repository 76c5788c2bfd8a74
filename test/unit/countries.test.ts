import { getAlpha2Codes } from 'i18n-iso-countries';
import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { searchCountries } from '../../nodes/VoiceAdmin/methods/searchCountries';

const search = async (typed?: string) =>
	(await searchCountries.call({} as ILoadOptionsFunctions, typed)).results;

describe('the country list', () => {
	test('holds every current entry of ISO 3166-1, once', async () => {
		// XK (Kosovo) is a code of user assignment, not an entry of the standard.
		const standard = Object.keys(getAlpha2Codes()).filter((code) => code !== 'XK');
		expect((await search()).map(({ value }) => value).sort()).toEqual(standard.sort());
	});

	test('without a filter gives all countries by name', async () => {
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
	])('typing %j offers %s first', async (typed, code) => {
		expect((await search(typed))[0]?.value).toBe(code);
	});

	test('typing "ita" offers Italy and Mauritania, but not Britain, where it is in another name only', async () => {
		expect((await search('ita')).map(({ value }) => value)).toEqual(['IT', 'MR']);
	});

	test('typing what no country is called offers nothing', async () => {
		expect(await search('atlantis')).toEqual([]);
	});
});
