import * as jsvat from 'jsvat';

import { mergeVatNumber } from '../../nodes/VoiceAdmin/parameters/vatNumber/mergeVatNumber';
import { checkVatNumber, vatNumber } from '../../nodes/VoiceAdmin/parameters/vatNumber/vatNumber';
import { vatNumberKey } from '../../nodes/VoiceAdmin/parameters/vatNumber/vatNumberKey';

const checked = (given: unknown): string => checkVatNumber('VAT Number', vatNumber('VAT Number', given));

const errorOf = (run: () => unknown): { message?: string; description?: string } => {
	try {
		run();
		return {};
	} catch (error) {
		return error as Error;
	}
};

/** What is given, and what is sent where that is another text. */
const VALID: Record<string, Array<string | [given: unknown, sent: string]>> = {
	Italy: [
		'IT12345678903',
		'12345678903',
		[12345678903, '12345678903'],
		['IT 0102.030.4059', 'IT01020304059'],
		['007.431.101-57', '00743110157'],
		['\ufeff\tIT\u200b12345678903\r\n', 'IT12345678903'],
		['\u00a0IT\u00a0123\u00ad45678903\u202f', 'IT12345678903'],
	],
	'countries of the table': [
		'BE1000000001',
		'EL123456789',
		'IE8+79739I',
		'FR1E303265045',
		'RO19',
		'CHE-107.787.577',
		'XI980780684',
		'VA462350018',
		['de 136 695 976', 'DE136695976'],
		['NL 0044.95445B01', 'NL0044.95445B01'],
		['GB 980 7806 84', 'GB980780684'],
		['CHE-123.456.788 MWST', 'CHE-123.456.788MWST'],
		['che 107 787 577 tva', 'CHE107787577TVA'],
		['NO 123 456 785 MVA', 'NO123456785MVA'],
	],
	'other countries': [
		'IN27AAPFU0939F1ZV',
		'BR12.345.678/0001-95',
		'MXABC-010101-AB1',
		'AL-J12345678K',
		'AD+*./-67890123456789A',
		['in27aapfu0939f1zv', 'IN27AAPFU0939F1ZV'],
	],
};

describe('a valid VAT number', () => {
	for (const [where, values] of Object.entries(VALID)) {
		test.each(values.map((each) => (typeof each === 'string' ? [each, each] : each)))(
			`of ${where}: %j is sent as %j`,
			(given, sent) => {
				expect(checked(given)).toBe(sent);
				// Who corrects a list by what was sent gets the same again.
				expect(checked(sent)).toBe(sent);
			},
		);
	}
});

/** What an error says is wrong, and what it says to do. */
type Says = [wrong: string, advice: string];

const OR_FOREIGN = ". If it's another country's, put the two letters of the country before it";
const UNLESS_RIGHT =
	". Only if your customer confirms the number, send this item alone, with the option 'Validate VAT Number' turned off: it applies to all items";
const FORM = `Look for a missing, extra or mistyped character${UNLESS_RIGHT}`;
const ENTER_LETTERS = `Enter only the number: 11 digits for Italy, otherwise with its country's two letters${UNLESS_RIGHT}`;
const orForeign = ([wrong, advice]: Says): Says => [wrong, advice + OR_FOREIGN];
const count = (digits: number) => `An Italian VAT number has 11 digits, and this has ${digits}`;
const lost = (digits: number, completed = ''): Says => [
	count(digits),
	`A spreadsheet may have removed its leading zeros${
		completed && ' (the check digit would be right with them)'
	}. Format the column as text and enter all digits`,
];
const tooMany = (digits: number): Says => [count(digits), 'Look for an extra digit'];
const form = (country: string, words: string): Says => [`A VAT number of ${country} is ${words}`, FORM];
const other = (country: string): Says =>
	form(country, 'two letters and 2 to 20 letters, digits or + * & . / -, two of them digits, without spaces');
const noCountry = (advice = ENTER_LETTERS): Says => [
	'It neither has 11 digits (Italy) nor begins with the two letters of a country',
	advice,
];
const TYPO = `Look for a mistyped digit${UNLESS_RIGHT}`;
const WRONG_DIGIT: Says = ['The check digit of this Italian VAT number is wrong', TYPO];
const SEVEN_ZEROS: Says = ['No Italian VAT number begins with seven zeros', TYPO];
const LETTERS: Says = [
	'An Italian VAT number has 11 digits after IT, and nothing else',
	'Look for a letter in place of a digit',
];
const NO_DIGIT: Says = ['This has no digit from 1 to 9', "Enter the customer's VAT number"];
const SPREADSHEET: Says = [
	'A spreadsheet may have changed this number',
	'Format the column as text and enter it again',
];
const LOOK_ALIKE: Says = [
	'It has a character other than A to Z and 0 to 9, though it may look like one',
	'Type the number again',
];
const CODICE_FISCALE: Says = [
	'This is an Italian codice fiscale',
	'Enter the VAT number (partita IVA), which has 11 digits',
];

/** What is given, by what the error says of it. */
const REFUSED: Array<[Says, given: unknown[]]> = [
	[NO_DIGIT, ['#N/D', '########', 'n/a', 'null', '-', '0', '00000000000', 'IT', 'DE000000000', 'CHE-000.000.000 MWST']],
	[SPREADSHEET, ['IT1,2E+10', '1.23457E+10', 'de1e+10', 'MX1.2E-10']],
	[SPREADSHEET, ['1234567890.3', 'IT 1234567890,35', '12345678903.0', 'DE12345678.9', '-12345678903', ' - 1']],
	[SPREADSHEET, ['MAR-24', 'gen-2024', 'MARS/24']],
	[CODICE_FISCALE, ['rssmra80a01h501u', 'RSS MRA 80A01 H501U', 'RSSMRAULAM1HRLMU']],
	[
		LOOK_ALIKE,
		['I\u042212345678903', 'DE13669597\u0417', '１２３４５６７８９０３', 'ＤＥ136695976', '١٢٣', 'ıT12345678903'],
	],
	[LOOK_ALIKE, ['IT123\u000045678903', 'IT12345678–903', 'DE136695976\ufffd']],
	// Italy
	[orForeign(lost(9, '00743110157')), ['743110157', 743110157, '743.110 157']],
	[orForeign(lost(8)), ['13585628', '24-03-2024']],
	[orForeign(lost(1)), ['7', 7, 0]],
	[lost(9, '00743110157'), ['IT743110157', 'it 743.110.157']],
	[orForeign(tooMany(12)), ['123456789012', '1234-567890-12']],
	[orForeign(tooMany(22)), ['12345678903 00743110157', '12345678903\n00743110157']],
	[tooMany(12), ['IT123456789012']],
	[WRONG_DIGIT, ['IT12345678904', 'it 123 456 789 04']],
	[orForeign(WRONG_DIGIT), ['12345678901', 21345678903]],
	[SEVEN_ZEROS, ['IT00000000026']],
	[orForeign(SEVEN_ZEROS), ['00000000026']],
	[
		LETTERS,
		['IT0O743110157', 'ITRSSMRA80A01H501U', 'IT12345678903, IT00743110157', 'IT12345678903 SRL', 'IT12345678903,'],
	],
	// Countries of the table
	[
		form('Germany', 'DE and 9 digits'),
		['DE12345', 'DE136695976 AG', 'DE136695976 DE811569869', 'DE 136695976/7', 'DE_136695976'],
	],
	[
		form('Spain', 'ES and 9 digits, the first, the last or both replaced by a letter'),
		['ES B12345678 SL', 'ES123456789'],
	],
	[form('Norway', 'NO and 9 digits, with or without MVA'), ['No DE136695976', 'No 12345678903', 'NO123456785MWST']],
	[form('Switzerland', 'CHE and 9 digits, with or without MWST, TVA or IVA'), ['CH123456788', 'CHE-123.456.788 AG']],
	[form('Lithuania', 'LT and 9 or 12 digits'), ['lT12345678903']],
	[form('Greece', 'EL and 9 digits'), ['EL12345678']],
	[form('Greece', 'GR (or EL) and 9 digits'), ['GR12345678']],
	[form('Northern Ireland', 'XI and 9 or 12 digits, or GD or HA and 3 digits'), ['XI1234567890']],
	[form('Vatican City', 'VA and digits'), ['VA IT01020304059', 'VAT12345678903', 'VAT no. 123456789']],
	[
		["CF and NR aren't part of an Italian number", 'Enter only its 11 digits'],
		['CF 12345678903', 'CF01020304059', 'nr 12345678903'],
	],
	// Others
	[other('Indonesia'), ['ID DE136695976', 'ID: IT12345678903']],
	[other('Nauru'), ['NR IT12345678903', 'Nr. 136695976']],
	[other('Central African Republic'), ['CF RSSMRA80A01H501U']],
	[other('United States'), ['US 12-3456789', 'US12-3456789 Inc', 'US1', 'USA1', 'US123456789012345678901', 'US12_345']],
	[other('the European Union'), ['EU1']],
	[noCountry(), ['QQ123456789', 'PIVA 12345678903', 'P. IVA: IT12345678903', "'12345678903", '12345678903 IT']],
	[noCountry(), ['12345678903/00743110157', '743110157, 488410010', '12/03/2024', '7.43110157e8']],
	[noCountry('Enter GB in place of UK'), ['UK980780684']],
];

describe('what is no VAT number is refused: the message says what is wrong, and the description what to do', () => {
	for (const [[wrong, advice], values] of REFUSED) {
		test.each(values)(`%j is refused: ${wrong.slice(0, 90)}`, (given) => {
			const { message, description } = errorOf(() => checked(given));
			expect(message).toMatch(/^'VAT Number' isn't valid: /);
			expect(message!.slice(-wrong.length - 2)).toBe(`. ${wrong}`);
			expect(description).toBe(advice);
		});
	}
});

describe('a second opinion, of the library jsvat', () => {
	/** A digit for each `#`, a letter for each `?`. */
	const FORMS =
		'IT########### ATU######## BE######### BE0######### BE1######### BG######### BG########## CY########? CZ######## ' +
		'CZ######### CZ########## CZ############ DE######### DK######## EE10####### EE######### EL######### ES?######## ' +
		'ES########? ES?#######? FI######## FR########### FR??######### FR#?######### HR########### HU######## IE#######? ' +
		'IE#######?A IE#?#####? IE#+#####? IE#)#####? LT######### LT############ LU######## LV########### MT######## ' +
		'NL#########B## PL########## PT######### RO### RO########## SE##########01 SE############ SI######## SK##########';

	/** What only the node accepts: VIES documents any digit or letter there. */
	const LOOSER = [
		/^BE1\d{9}$/,
		/^(?:DE0\d{8}|CY[6-8]\d{7}[A-Z]|EE(?!10)\d{9}|MT0\d{7}|SI0\d{7}|RO0\d{1,9})$/,
		/^SK(?:0\d{9}|\d\d[015]\d{7})$/,
		/^SE\d{10}(?!01)\d\d$/,
		/^ES[A-Z]\d{7}[A-Z]$/,
		/^IE(?:\d{7}[A-W][B-GI]|[0-6][A-Z+*]\d{5}[A-W])$/,
	];

	/** What only jsvat accepts. */
	const STRICTER = [
		/^BE\d{9}$/, // A spreadsheet may have removed the zero that VIES documents.
		/^CZ\d{11,13}$/, // VIES documents 8 to 10 digits.
		/^IE\d\)\d{5}[A-W]$/, // VIES documents + and *, but no bracket.
	];

	const COUNTRIES = Object.values(jsvat).filter(
		(each): each is jsvat.Country => typeof each === 'object' && 'calcFn' in each,
	);

	/** Of one country, as jsvat takes EST12345678 for Estonia's. */
	const countryOf = (number: string) =>
		COUNTRIES.filter(({ codes: [code] }) => code === number.slice(0, 2).replace('EL', 'GR'));

	test('agrees on the format of 10,000 numbers, right and wrong ones, but for what is listed', () => {
		// A simple generator, so that each run has the same numbers.
		let state = 1;
		const next = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
		const anyOf = (text: string) => text[next(text.length)]!;
		const LETTERS_A_TO_Z = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
		const DIGITS = '0123456789';
		const forms = FORMS.split(' ');
		const verdicts = Array.from({ length: 10_000 }, (_, n) => {
			const form = forms[n % forms.length]!;
			const whole = form.replace(/[#?]/g, (place) => anyOf(place === '#' ? DIGITS : LETTERS_A_TO_Z));
			// Half of them with a character replaced, left out or more.
			const place = 2 + next(whole.length - 2);
			const typo = anyOf(DIGITS + LETTERS_A_TO_Z + '+*').slice(next(2));
			const number = next(2) === 0 ? whole : whole.slice(0, place) + typo + whole.slice(place + next(2));
			const message = errorOf(() => checked(number)).message ?? '';
			const ours = message === '' || message.endsWith(WRONG_DIGIT[0]) || message.endsWith(SEVEN_ZEROS[0]);
			return { number, ours, theirs: jsvat.checkVAT(number, countryOf(number)).isValidFormat };
		});
		const isListed = (list: RegExp[], number: string) => list.some((pattern) => pattern.test(number));
		const unexpected = verdicts.filter(
			({ number, ours, theirs }) => ours !== ((theirs || isListed(LOOSER, number)) && !isListed(STRICTER, number)),
		);
		expect(unexpected).toEqual([]);
		for (const verdict of [true, false])
			expect(verdicts.filter(({ theirs }) => theirs === verdict).length).toBeGreaterThan(3_000);
		for (const pattern of [...LOOSER, ...STRICTER])
			expect(verdicts.filter(({ number }) => pattern.test(number)).length).toBeGreaterThan(10);
	});
});

describe('a customer', () => {
	test.each([
		['IT1', { name: 'A' }, false, { vatNumber: 'IT1', name: 'A' }],
		[undefined, { pIva: ' IT1 ', name: 'A' }, false, { vatNumber: 'IT1', name: 'A' }],
		['IT1', { vatNumber: 'IT1', pIva: '', piva: null }, false, { vatNumber: 'IT1' }],
		['it 123.456.789-03', { name: 'A' }, true, { vatNumber: 'IT12345678903', name: 'A' }],
		[undefined, { pIva: ' IT\u200b12345678903' }, true, { vatNumber: 'IT12345678903' }],
		['IT12345678903', { vatNumber: 'it12345678903', piva: 'IT 12345678903' }, true, { vatNumber: 'IT12345678903' }],
		// Equal by their key.
		['IT01020304059', { pIva: '01020304059' }, true, { vatNumber: 'IT01020304059' }],
		[undefined, { pIva: '01020304059', vatNumber: 'IT01020304059' }, false, { vatNumber: '01020304059' }],
	])(
		'with the number %j and the fields %j is sent with one number (checked: %s)',
		(given, otherFields, isChecked, merged) => {
			expect(mergeVatNumber(given, otherFields, isChecked)).toEqual(merged);
		},
	);

	test.each<[string | undefined, object, boolean, string]>([
		[
			undefined,
			{ name: 'A', pIva: '' },
			true,
			"'VAT Number' is required. Enter the VAT number as text: 11 digits for Italy, otherwise its country's two letters and the number",
		],
		[
			'IT1',
			{ piva: 'IT2' },
			false,
			`piva' isn't valid: "IT2". 'VAT Number' is already "IT1". Enter one VAT number, in one place`,
		],
		[
			undefined,
			{ pIva: '1', piva: '2' },
			false,
			`'Other Fields → piva' isn't valid: "2". 'Other Fields → pIva' is already "1".`,
		],
	])('with the number %j and the fields %j is refused', (given, otherFields, isValidated, message) => {
		expect(() => mergeVatNumber(given, otherFields as never, isValidated)).toThrow(message);
	});

	test.each(['vatNumber', 'pIva', 'piva'])('is refused for what is no VAT number in the other field %s', (property) => {
		const notValid = `'Other Fields → ${property}' isn't valid:`;
		expect(() => mergeVatNumber(undefined, { [property]: '#N/D' }, true)).toThrow(`${notValid} "#N/D". ${NO_DIGIT[0]}`);
		expect(() => mergeVatNumber('IT12345678903', { [property]: 743110157 }, false)).toThrow(`${notValid} 743110157.`);
	});

	test.each(['IT1', '#N/D', 'it 123', '743110157', '1,23457E+10'])(
		'is sent with %j as it is, where the check is off',
		(given) => {
			expect(mergeVatNumber(vatNumber('VAT Number', `\ufeff ${given}\u200b\u00a0`), {}, false)).toEqual({
				vatNumber: given,
			});
		},
	);

	test('is refused for a number that has lost its zeros, also where the check is off', () => {
		const [wrong, advice] = orForeign(lost(9, '00743110157'));
		expect(errorOf(() => vatNumber('VAT Number', 743110157))).toMatchObject({
			message: `'VAT Number' isn't valid: 743110157. ${wrong}`,
			description: advice,
		});
		for (const given of [-12345678903, 1.5, 2 ** 53, NaN]) {
			expect(() => vatNumber('VAT Number', given)).toThrow(
				`'VAT Number' isn't valid: ${given}. Enter the VAT number as text: 11 digits for Italy, otherwise its country's two letters and the number`,
			);
		}
	});
});

test.each<[string, string[]]>([
	['IT01020304059', ['01020304059', 'IT 0102.030.4059', 'it-01020304059', '０１０２０３０４０５９', ' 0102 030 4059 ']],
	['EL123456789', ['EL123456789', 'GR 123456789', 'gr123456789']],
	['BE0403019261', ['BE0403019261', 'BE 403.019.261', 'BE0403.019.261']],
	['CHE107787577', ['CHE-107.787.577', 'CHE-107.787.577 MWST', 'che107787577tva', 'CHE-107.787.577IVA']],
	['NO995525828', ['NO 995 525 828 MVA', 'NO995525828']],
	['GB980780684', ['GB 980780684', 'XI980780684', 'xi 980 7806 84']],
	['FR40303265045', ['FR 40303265045', 'MC40303265045']],
	['SM3473', ['SM03473', 'SM 3473', 'SM003473']],
	['IE8+79739I', ['IE 8+79739 I']],
	['IE8*79739I', ['IE8*79739I']],
	['BR12345678000195', ['BR12.345.678/0001-95', 'BR12345678000195']],
	...['123456789012', 'FRGR303265045', 'FRBE123456789'].map((key): [string, string[]] => [key, [key]]),
])('the key %s is that of %j', (key, spellings) => {
	expect(spellings.map(vatNumberKey)).toEqual(spellings.map(() => key));
});
