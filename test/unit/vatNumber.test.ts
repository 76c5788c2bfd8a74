import * as jsvat from 'jsvat';

import { mergeVatNumber } from '../../nodes/VoiceAdmin/operations/customer/mergeVatNumber';
import { checkVatNumber, vatNumber } from '../../nodes/VoiceAdmin/parameters/vatNumber/vatNumber';
import { vatNumberKey } from '../../nodes/VoiceAdmin/parameters/vatNumber/vatNumberKey';

const checked = (given: unknown): string => checkVatNumber('VAT Number', vatNumber('VAT Number', given));

/** What is given, and what is sent where that is another text. */
const VALID: Record<string, Array<string | [given: unknown, sent: string]>> = {
	Italy: [
		'IT12345678903',
		'IT00743110157',
		'12345678903',
		'IT00000010215',
		[12345678903, '12345678903'],
		['It 007 431 101 57', 'IT00743110157'],
		['007.431.101-57', '00743110157'],
		['IT. 00743110157', 'IT00743110157'],
		['I T-0 0 7 4 3 1 1 0 1 5 7.', 'IT00743110157'],
		['\ufeff\tIT\u200b12345678903\r\n', 'IT12345678903'],
		['\u00a0IT\u00a0123\u00ad45678903\u202f', 'IT12345678903'],
	],
	'other countries of the European Union': [
		// Each country's forms are those of jsvat, below; these it does not know.
		'BE1000000001',
		'BG7523169263',
		'IE8+79739I',
		'IE8*79739I',
		'IE8Z49+89F',
		'FR1E303265045',
		'NL000099998B57',
		'RO19',
		['de 136 695 976', 'DE136695976'],
		['NL 0044.95445B01', 'NL0044.95445B01'],
		['ATU 13585627', 'ATU13585627'],
	],
	'countries around it': [
		'CHE-107.787.577',
		'GB001000000000',
		'XI980780684',
		'SM12345',
		'VA462350018',
		'LI54321',
		'MC12345678',
		'XK810123456',
		'AL-J12345678K',
		['CHE-107.787.577 MWST', 'CHE-107.787.577MWST'],
		['CHE-107.787.577 IVA', 'CHE-107.787.577IVA'],
		['che 107 787 577 tva', 'CHE107787577TVA'],
		['NO 995 525 828 MVA', 'NO995525828MVA'],
	],
	'the rest of the world': [
		'US12-3456789',
		'MXABC010101AB1',
		'MXABC-010101-AB1',
		'SA300000000000003',
		'AE100123456700003',
		'IN27AAPFU0939F1ZV',
		'ID012345678901000',
		'BR12.345.678/0001-95',
		'CN91110108MA01234567',
		'CF1234567',
		'JPT1234567890123',
		'CA123456789RT0001',
		'EU372001234',
		'DE12',
		'DE+*./-67890123456789A',
		['DE 123456 123456', 'DE123456123456'],
	],
};

const AS_TEXT = 'Format the column as text and enter the number again';
const OR_FOREIGN = ". If it is another country's, put the two letters of the country before it";
const TYPO = "Look for a mistyped digit, or turn off 'Validate VAT Number'";
const FORM =
	"Enter an Italian number, or another country's two letters and its number, e.g. DE123456789, or turn off 'Validate VAT Number'";

/** What an error says is wrong, and what it says to do. */
type Says = [wrong: string, advice: string];

const PLACEHOLDER: Says = [
	'This has no digit from 1 to 9, and may be a placeholder for a missing value',
	"Enter the customer's VAT number",
];
const SHORTENED: Says = ['A spreadsheet has shortened this number, and its last digits are lost', AS_TEXT];
const AMOUNT: Says = ['A spreadsheet read this number as an amount, with a decimal point', AS_TEXT];
const TWO: Says = ['These are two or more VAT numbers', 'Enter one, and use an item for each customer'];
const WORDS: Says = ['This has words besides the number', 'Enter only the number, without spaces, e.g. IT12345678903'];
const CODICE_FISCALE: Says = [
	'This is an Italian codice fiscale, not a VAT number',
	'Enter the partita IVA, which has 11 digits',
];
const LETTERS: Says = [
	'An Italian VAT number has 11 digits after IT, and nothing else',
	'Look for a letter in place of a digit',
];
const count = (digits: number) => `An Italian VAT number has 11 digits, and this has ${digits}`;
const lost = (digits: number, completed = ''): Says => [
	count(digits),
	`A spreadsheet may have removed its leading zeros${
		completed && ` (${completed} would be valid)`
	}. Format the column as text and enter all digits`,
];
const orForeign = ([wrong, advice]: Says): Says => [wrong, advice + OR_FOREIGN];
const tooMany = (digits: number): Says => [count(digits), 'Look for an extra digit'];
const WRONG_DIGIT: Says = ['The check digit of this Italian VAT number is wrong', TYPO];
const SEVEN_ZEROS: Says = ['No Italian VAT number begins with seven zeros', TYPO];
const NO_LETTERS: Says = ['A VAT number has 11 digits (Italy), or begins with the two letters of its country', FORM];
const noCountry = (letters: string, advice = FORM): Says => [`${letters} is not the code of a country`, advice];
const AFTER_DE: Says = [
	'After the letters DE, a VAT number has 2 to 20 letters, digits, or + * . / -, and at least two digits',
	FORM,
];
const odd = (code: string): Says => [
	`It has a character other than A to Z and 0 to 9, though it may look like one (U+${code})`,
	'Type the number again',
];

/** What is given, by what the error says of it. */
const REFUSED: Array<[Says, given: unknown[]]> = [
	[
		PLACEHOLDER,
		[
			'#N/D',
			'#N/A',
			'#RIF!',
			'#VALUE!',
			'#DIV/0!',
			'########',
			'n/a',
			'N.D.',
			'nd',
			'null',
			'undefined',
			'NaN',
			'None',
			'true',
		],
	],
	[
		PLACEHOLDER,
		[
			'-',
			'--',
			'–',
			'?',
			'.',
			'XXX',
			'0',
			'0000',
			'00000000000',
			'(vuoto)',
			'(blank)',
			'[object Object]',
			'da definire',
		],
	],
	[
		PLACEHOLDER,
		['IT', 'ITABC', 'IT00000000000', 'DE', 'DEnull', 'DE000000000', 'NL000000000B00', 'CHE-000.000.000 MWST', 'abcdef'],
	],
	[
		SHORTENED,
		['1,23457E+10', '1.23457E+10', '1E+10', '7.43110157e8', '1,23E10', '12E+9', 'IT1.2E+10', '1.23457E-10', 'DE1E+10'],
	],
	[AMOUNT, ['1234567890.3', 'IT 1234567890,35', '12345678903.0', '743110157.00', 'DE136695976.0', '12345678903.000']],
	[['A spreadsheet read this number as a date', AS_TEXT], ['MAR-24']],
	[
		['A VAT number has no minus sign', AS_TEXT],
		['-12345678903', ' - 12345678903', '-1'],
	],
	[
		TWO,
		[
			'IT12345678903, IT00743110157',
			'12345678903 00743110157',
			'IT12345678903\nIT00743110157',
			'DE136695976 DE811569869',
		],
	],
	[
		TWO,
		[
			'743110157, 488410010',
			'IT12345678903 e IT00743110157',
			'IT12345678903|743110157',
			'DE1366959; DE8115698',
			'DE1366959 & DE8115698',
		],
	],
	[
		WORDS,
		[
			'P. IVA: IT12345678903',
			'PIVA 12345678903',
			'P.I. 12345678903',
			'VAT no. 123456789',
			'USt-IdNr. DE136695976',
			'CIF B12345678',
		],
	],
	[
		WORDS,
		['Cod. Fisc. 12345678903', 'No. DE136695976', 'NR. IT12345678903', 'CHE MWST 12345678903', 'ID: IT12345678903'],
	],
	[
		WORDS,
		['VAT12345678903', 'VAT 12345678903', 'CF 12345678903', 'No 12345678903', 'nr IT12345678903', 'VAT-IT12345678903'],
	],
	[WORDS, ['SRL 12345678903', 'DE136695976 GmbH', 'DE 136695976 (old)', 'via Roma 12', 'USD 1234']],
	[
		CODICE_FISCALE,
		['rssmra80a01h501u', 'RSS MRA 80A01 H501U', 'ITRSSMRA80A01H501U', 'RSSMRAULAM1HRLMU', 'C.F. RSSMRA80A01H501U'],
	],
	[orForeign(lost(9, '00743110157')), ['743110157', 743110157, '743.110 157']],
	[orForeign(lost(10, '00743110157')), ['0743110157']],
	[orForeign(lost(8)), ['13585628', 13585628]],
	[orForeign(lost(1)), ['7', 7, 0]],
	[lost(9, '00743110157'), ['IT743110157', 'it 743.110.157']],
	[lost(3), ['IT123']],
	[orForeign(tooMany(12)), ['123456789012', 123456789012, '1234 5678 9012']],
	[orForeign(tooMany(22)), ['1234567890300743110157']],
	[tooMany(12), ['IT123456789012']],
	[WRONG_DIGIT, ['IT12345678904', 'it 123 456 789 04']],
	[orForeign(WRONG_DIGIT), ['12345678901', '21345678903', 12345678901, '1.234.567.890-1']],
	[SEVEN_ZEROS, ['IT00000000026']],
	[orForeign(SEVEN_ZEROS), ['00000000026', '00000001230']],
	[LETTERS, ['IT0O743110157', 'IT1234567890A', "IT'12345678903", 'IT12345678903,']],
	[odd('0422'), ['I\u042212345678903']],
	[odd('FF11'), ['１２３４５６７８９０３']],
	[odd('0661'), ['١٢٣']],
	[odd('0131'), ['ıT12345678903']],
	[odd('0000'), ['IT123\u000045678903']],
	[odd('2013'), ['IT12345678–903']],
	[odd('FFFD'), ['IT12345678903\ufffd']],
	[
		['A number of Lithuania (LT) has 9 or 12 digits', 'Enter IT in place of LT if the number is Italian'],
		['lT12345678903', 'LT 123 456 789 03'],
	],
	[noCountry('QQ'), ['QQ123456789']],
	[noCountry('AB'), ['AB123456789']],
	[noCountry('PI'), ['PI12345678903']],
	[noCountry('UK', 'Enter GB if you mean it'), ['UK980780684']],
	[AFTER_DE, ['DE1', 'DE+1', 'DE123456789012345678901', 'DE123_456', 'DEA1']],
	[
		NO_LETTERS,
		[
			"'12345678903",
			'="12345678903"',
			'"IT12345678903"',
			'B12345678',
			'(IT)12345678903',
			'12345678903 IT',
			'1,234,567,890.3',
		],
	],
	[NO_LETTERS, ['12345678903/00743110157']],
];

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

const errorOf = (run: () => unknown): { message?: string; description?: string } => {
	try {
		run();
		return {};
	} catch (error) {
		return error as Error;
	}
};

describe('what is no VAT number is refused: the message says what is wrong, and the description what to do', () => {
	for (const [[wrong, advice], values] of REFUSED) {
		test.each(values)(`%j: ${wrong}`, (given) => {
			const { message, description } = errorOf(() => checked(given));
			expect(message).toMatch(/^'VAT Number' is not valid: /);
			expect(message!.slice(-wrong.length - 2)).toBe(`. ${wrong}`);
			expect(description).toBe(advice);
		});
	}
});

describe('a second opinion, of the library jsvat', () => {
	/** A number for each `#` that is a digit, and a letter for each `?`. */
	const FORMS =
		'IT########### ATU######## BE0######### BG######### BG########## CY########? CZ######## CZ########## DE######### DK######## ' +
		'EE######### EL######### ES?######## ES########? ES?#######? FI######## FR########### FR??######### HR########### HU######## ' +
		'IE#######? IE#######?A IE#?#####? LT######### LT############ LU######## LV########### MT######## NL#########B## PL########## ' +
		'PT######### RO###### RO########## SE##########01 SI######## SK########## ' +
		'CHE######### CHE#########MWST NO######### NO#########MVA GB######### GBGD1## GBHA###';

	test.each(FORMS.split(' '))('whatever it calls valid of %s is accepted', (form) => {
		// A simple generator, so that each run has the same numbers.
		let state = 1;
		const next = (count: number) => (state = (state * 48_271) % 2_147_483_647) % count;
		const number = () =>
			form.replace(/[#?]/g, (place) => (place === '#' ? String(next(10)) : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[next(26)]!));
		const valid = Array.from({ length: 3_000 }, number).filter((each) => jsvat.checkVAT(each, COUNTRIES).isValid);
		expect(valid.length).toBeGreaterThan(0);
		expect(
			valid.filter((each) => errorOf(() => checked(each)).message !== undefined || checked(each) !== each),
		).toEqual([]);
	});

	const COUNTRIES = Object.values(jsvat).filter(
		(each): each is jsvat.Country => typeof each === 'object' && 'calcFn' in each,
	);
});

describe('a customer', () => {
	test.each([
		['IT1', { name: 'A' }, false, { vatNumber: 'IT1', name: 'A' }],
		[undefined, { pIva: ' IT1 ', name: 'A' }, false, { vatNumber: 'IT1', name: 'A' }],
		['IT1', { vatNumber: 'IT1', pIva: '', piva: null }, false, { vatNumber: 'IT1' }],
		['it 123.456.789-03', { name: 'A' }, true, { vatNumber: 'IT12345678903', name: 'A' }],
		[undefined, { pIva: ' IT\u200b12345678903' }, true, { vatNumber: 'IT12345678903' }],
		['IT12345678903', { vatNumber: 'it12345678903', piva: 'IT 12345678903' }, true, { vatNumber: 'IT12345678903' }],
	])('with the number %j and the fields %j (checked: %s) is sent as %j', (given, otherFields, isChecked, merged) => {
		expect(mergeVatNumber(given, otherFields, isChecked)).toEqual(merged);
	});

	test.each<[string | undefined, object, boolean, string]>([
		[
			undefined,
			{ name: 'A', pIva: '' },
			true,
			"'VAT Number' is required. Enter the VAT number as text, e.g. IT12345678903",
		],
		// The API may tell them apart.
		['IT12345678903', { piva: '12345678903' }, true, "'Other Fields → piva' is not valid"],
		[
			'IT1',
			{ piva: 'IT2' },
			false,
			`piva' is not valid: "IT2". 'VAT Number' is already "IT1". Enter one VAT number, in one place`,
		],
		[
			undefined,
			{ pIva: '1', piva: '2' },
			false,
			`'Other Fields → piva' is not valid: "2". 'Other Fields → pIva' is already "1".`,
		],
	])('with the number %j and the fields %j is refused', (given, otherFields, isValidated, message) => {
		expect(() => mergeVatNumber(given, otherFields as never, isValidated)).toThrow(message);
	});

	test.each(['vatNumber', 'pIva', 'piva'])('is refused for what is no VAT number in the other field %s', (property) => {
		const notValid = `'Other Fields → ${property}' is not valid:`;
		expect(() => mergeVatNumber(undefined, { [property]: '#N/D' }, true)).toThrow(
			`${notValid} "#N/D". ${PLACEHOLDER[0]}`,
		);
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
			message: `'VAT Number' is not valid: 743110157. ${wrong}`,
			description: advice,
		});
		for (const given of [-12345678903, 1.5, 2 ** 53, NaN]) {
			expect(() => vatNumber('VAT Number', given)).toThrow(
				`'VAT Number' is not valid: ${given}. Enter the VAT number as text, e.g. IT12345678903`,
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
	['GB980780684', ['GB 980780684']],
	['XI980780684', ['XI980780684']],
	['IE8+79739I', ['IE 8+79739 I']],
	['IE8*79739I', ['IE8*79739I']],
	['BR12345678000195', ['BR12.345.678/0001-95', 'BR12345678000195']],
	...['123456789012', 'FRGR303265045', 'FRBE123456789'].map((key): [string, string[]] => [key, [key]]),
])('the key %s is that of %j', (key, spellings) => {
	expect(spellings.map(vatNumberKey)).toEqual(spellings.map(() => key));
});
