import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

/** The alpha-2 codes of all current entries of ISO 3166-1. */
const CODES = `
	AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY
	BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK
	FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR
	IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK
	ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM
	PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF
	TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
`;

/** Other names under which people look for a country, by its code. */
const ALSO: Record<string, string> = {
	AE: 'UAE', BN: 'Brunei Darussalam', CD: 'Democratic Republic of the Congo, DRC',
	CG: 'Republic of the Congo', CI: 'Ivory Coast', CV: 'Cabo Verde', CZ: 'Czech Republic', FK: 'Malvinas',
	GB: 'UK, Great Britain, England', IR: 'Persia', KP: 'DPRK', KR: 'Republic of Korea', LA: 'Lao',
	MD: 'Republic of Moldova', MK: 'Macedonia', MM: 'Burma', MO: 'Macau', NL: 'Holland', PS: 'Palestine',
	RU: 'Russian Federation', SY: 'Syrian Arab Republic', SZ: 'Swaziland', TL: 'East Timor', TR: 'Turkey',
	TZ: 'United Republic of Tanzania', US: 'USA', VA: 'Holy See', VN: 'Viet Nam',
};

type Country = { code: string; name: string };

/** Made at the first search, so that loading the node does not wait for it. */
let countries: Country[] | undefined;

/**
 * The countries whose code is, or one of whose names holds, what was typed; accents and case do not
 * matter. An exact code comes first, then names that begin with it. Works without a network call.
 */
export async function searchCountries(this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
	const typed = plain(filter);
	countries ??= listCountries();
	return {
		results: countries
			.map((country) => ({ ...country, rank: rankOf(country, typed) }))
			.filter(({ rank }) => rank > 0)
			.sort((a, b) => b.rank - a.rank)
			.map(({ code, name }) => ({ name: `${name} (${code})`, value: code })),
	};
}

/** All countries in the order of their English names, which are those of the Unicode CLDR, by way of Intl. */
function listCountries(): Country[] {
	const english = new Intl.DisplayNames(['en'], { type: 'region' });
	const list = CODES.trim().split(/\s+/).map((code) => ({ code, name: english.of(code) ?? code }));
	return list.sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** 3: the code; 2: the name, or another name of it, begins so; 1: it is somewhere in the name; 0: it is not. */
function rankOf({ code, name }: Country, typed: string): number {
	if (plain(code) === typed) return 3;
	if ([name, ...(ALSO[code]?.split(', ') ?? [])].some((each) => plain(each).startsWith(typed))) return 2;
	return plain(name).includes(typed) ? 1 : 0;
}

function plain(text: string): string {
	return text.normalize('NFD').replace(/[\u0300-\u036f]/g, '').replaceAll('’', "'").trim().toLowerCase();
}
