import { alpha2ToNumeric, getAlpha2Codes } from 'i18n-iso-countries';
import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { searchCountries } from '../../nodes/VoiceAdmin/methods/searchCountries';
import { countries } from '../../nodes/VoiceAdmin/parameters/countries';
import { countryCodes } from '../../nodes/VoiceAdmin/parameters/countryCodes';

const search = async (typed?: string) => (await searchCountries.call({} as ILoadOptionsFunctions, typed)).results;

describe('the country list', () => {
	test('has every current entry of ISO 3166-1 once, and Kosovo, with the three codes of each', async () => {
		const codes = Object.entries(getAlpha2Codes()).map(([alpha2, alpha3]) => [alpha2, alpha3, alpha2ToNumeric(alpha2)]);
		expect(
			countries()
				.map((country) => country.codes)
				.sort(),
		).toEqual(codes.sort());
		const all = await search();
		expect(all.map(({ value }) => value).sort()).toEqual(codes.map(([alpha2]) => alpha2));
		// By name.
		expect(all[0]).toEqual({ name: 'Afghanistan (AF)', value: 'AF' });
		expect(await search('')).toEqual(all);
	});

	test.each([
		['türk', 'TR'],
		["cote d'iv", 'CI'],
		['usa', 'US'],
		['holland', 'NL'],
		['Italia', 'IT'],
		['xk', 'XK'],
		['380', 'IT'],
		['004', 'AF'],
		['atlantis', undefined],
	])('a search for %j finds %s first', async (typed, code) => {
		expect((await search(typed))[0]?.value).toBe(code);
	});
});

describe('country codes', () => {
	test.each([
		['Italy', 'IT'],
		['Italia', 'IT'],
		[' germania ', 'DE'],
		['Costa d\u2019Avorio', 'CI'],
		['UK', 'GB'],
		['EL', 'GR'],
		['Olanda', 'NL'],
	])('are not the name %j, which means %s', (given, code) => {
		const message = `'Country' isn't valid: ${JSON.stringify(given.trim())}. Did you mean ${code}? Enter ISO country codes`;
		expect(() => countryCodes('Country', ['FR', given])).toThrow(message);
	});

	test('say what is wrong with a number', () => {
		for (const given of [0, -1, 1.5, '000', '1000', 44, '44']) {
			expect(() => countryCodes('Country', given)).toThrow(
				`. A numeric code has three digits, and isn't a dialing prefix. Enter ISO country codes of two`,
			);
		}
		for (const given of [NaN, 'NaN', 'NAN']) {
			expect(() => countryCodes('Country', given)).toThrow(
				". NaN means that an expression couldn't convert a value to a number. Enter ISO",
			);
		}
	});

	test('are at most 300 per item', () => {
		const codes = Array.from({ length: 301 }, (_, index) => String(index + 1).padStart(3, '0'));
		expect(countryCodes('Country', [...codes.slice(1), ...codes.slice(1)].join())).toEqual(codes.slice(1));
		expect(() => countryCodes('Country', codes)).toThrow(`'Country' has 301 codes. Enter at most 300 per item`);
	});
});
