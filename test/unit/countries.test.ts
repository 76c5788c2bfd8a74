import { alpha2ToNumeric, getAlpha2Codes } from 'i18n-iso-countries';
import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { searchCountries } from '../../nodes/VoiceAdmin/methods/searchCountries';
import { countries } from '../../nodes/VoiceAdmin/parameters/countries';

const search = async (typed?: string) =>
	(await searchCountries.call({} as ILoadOptionsFunctions, typed)).results;

describe('the country list', () => {
	test('has every current entry of ISO 3166-1 once, and Kosovo, with the three codes of each', async () => {
		const codes = Object.entries(getAlpha2Codes()).map(([alpha2, alpha3]) => [alpha2, alpha3, alpha2ToNumeric(alpha2)]);
		expect(countries().map((country) => country.codes).sort()).toEqual(codes.sort());
		expect((await search()).map(({ value }) => value).sort()).toEqual(codes.map(([alpha2]) => alpha2));
	});

	test('has all countries by name without a filter', async () => {
		const all = await search();
		expect(all).toHaveLength(250);
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
		['Italia', 'IT'],
		['germania', 'DE'],
		['peru', 'PE'],
		['paesi b', 'NL'],
		['vaticano', 'VA'],
		['stati uniti', 'US'],
		['emirati', 'AE'],
		['corea del s', 'KR'],
		['kosovo', 'XK'],
		['xk', 'XK'],
		['DEU', 'DE'],
		['deu', 'DE'],
		['380', 'IT'],
		['4', 'AF'],
		['004', 'AF'],
	])('a search for %j finds %s first', async (typed, code) => {
		expect((await search(typed))[0]?.value).toBe(code);
	});

	test('names each country in English, whatever was typed', async () => {
		expect(await search('Germania')).toEqual([{ name: 'Germany (DE)', value: 'DE' }]);
	});

	test('a search for "ita" finds Italy and Mauritania, but not Britain, which has it inside another name only', async () => {
		expect((await search('ita')).map(({ value }) => value)).toEqual(['IT', 'MR']);
	});

	test('a search for no name of a country finds nothing', async () => {
		expect(await search('atlantis')).toEqual([]);
	});
});
