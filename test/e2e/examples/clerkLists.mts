import { workbook } from './listFiles.mts';

/** A list as a clerk's tool writes it, and what is to come of it. */
export interface ClerkList {
	what: string;
	list: string | Buffer<ArrayBuffer>;
	/** Why it is not read. */
	stop?: RegExp;
	/** Else what is to come of each row: its number and name, or that it is refused, or that a person is asked. */
	rows?: Array<readonly [number: string, name: string] | 'refused' | 'asked'>;
	/** Of its columns and rows. */
	facts?: object;
}

/** In a code page of a byte a letter, whose letters are escapes here. */
const bytes = (...lines: string[]) => Buffer.from(lines.join('\r\n'), 'latin1');
const lines = (...all: string[]) => `${all.join('\n')}\n`;

/** Italian numbers whose check digits are right. */
const NUMBERS = [
	'31001070155',
	'31001140156',
	'31001210157',
	'31001280150',
	'31001350151',
	'31001420152',
	'31001490155',
	'31001560155',
] as const;

/** The same row for each name. */
const named = (names: string[]) =>
	['Partita IVA;Ragione sociale', ...names.map((name, index) => `${NUMBERS[index % 8]!};${name}`)] as const;

const ERRORS =
	'#¡REF!|#¿NOMBRE?|#NENÍ_K_DISPOZICI|#N/D|#BEZUG!|#NOM ?|#GETTING_DATA|Err:502|Loading...|Caricamento…|(vuoto)|N.D.|--|?|\\N'.split(
		'|',
	);

/** The header of another name than the customer's, such a name, and the header of the customer. */
const OTHER_NAMES = [
	['Last Name', 'Rossi', 'Associated Company'],
	['Last Name', 'Bianchi', 'Default Address Company'],
	['Nome', 'Mario', 'Società'],
	['Nome', 'Anna', 'Nome azienda'],
	['Name', 'Hans Meier', 'Firmenname'],
	['Cliente', 'C00012', 'Descrizione'],
	['Kunde', 'K-10012', 'Bezeichnung'],
	['Customer', 'C00013', 'City'],
	['Company', 'Own Srl', 'Partner'],
] as const;

const ASK_WHICH_NAME =
	/more than one column for the name: "(?:Display Name|Cliente|Customer|Complete Name)" and ".* into the address as &name=/;

export const CLERK_LISTS: ClerkList[] = [
	// Letters.
	{
		what: 'question marks, as PowerShell writes letters outside ASCII',
		list: lines(...named(['Societ? Agricola', 'Caff? Verdi Srl', 'Bar Perch?', 'Pi? T? Srl', 'Dove vai? Viaggi Srl'])),
		rows: Array(5).fill('asked') as 'asked'[],
	},
	{
		what: 'Windows-1250, Slovenian',
		list: bytes(
			'Partita IVA;Ragione sociale',
			'SI10000000;Kova\xe8 d.o.o.',
			'SI10000074;Bar \xc8arli',
			'SI10000111;Bar',
		),
		rows: ['asked', 'asked', ['SI10000111', 'Bar']],
	},
	{
		what: 'Windows-1250, of firms in Italy',
		list: bytes(...named(['Kova\xe8 Srl', 'Bar Roma'])),
		rows: ['asked', [NUMBERS[1], 'Bar Roma']],
		facts: { charset: 'Windows-1252' },
	},
	{
		what: 'Windows-1257, Lithuanian',
		list: bytes('VAT;Name', 'LT100001919;Saul\xeb UAB'),
		rows: ['asked'],
	},
	{
		what: 'code page 850',
		list: bytes(
			...named(['CAFF\xd4 VERDI SRL', 'GIOVENT\xeb SPORTIVA', 'Bar Roma']),
			'DE136695970;Wei\xe1bier GmbH',
			'ESB12345670;\xe0PTICA LE\xe0N SL',
		),
		rows: ['asked', 'asked', [NUMBERS[2], 'Bar Roma'], 'asked', 'asked'],
	},
	{ what: 'MacRoman', list: bytes(...named(['CAFF\xe9 VERDI', 'Niccol\xf2'])), rows: ['asked', 'asked'] },
	{
		what: 'error texts in several languages',
		list: lines(...named(ERRORS)),
		rows: ERRORS.map(() => 'refused'),
	},
	{
		what: 'words in place of a name, and names that look damaged',
		list: lines(...named(['xxx', 'da definire', 'idem', 'Total', 'Ωmega Srl', '#Social Srl'])),
		rows: ['asked', 'asked', 'asked', 'asked', 'asked', [NUMBERS[5], '#Social Srl']],
	},
	{
		what: 'backslashes of MySQL',
		list: lines('"Partita IVA";"Ragione sociale"', `"${NUMBERS[0]}";"Ditta \\"Rossi\\" Srl"`, `"${NUMBERS[1]}";\\N`),
		rows: ['asked', 'refused'],
	},

	// Countries.
	{
		what: 'a column of country codes',
		list: lines(
			'Country code,VAT number,Name',
			'LV,40003032949,Rigas',
			'HR,94643876207,Zagreb',
			`IT,${NUMBERS[0]},Milano`,
			'DE,136695976,Berlin',
			'AT,U12345678,Wien',
			'ES,B12345674,Madrid',
			'BE,BE0403170701,Gent',
			'EL,EL123456789,Athina',
			'GR,123456780,Patra',
			'MC,FR12345678901,Monte-Carlo',
			'FR,IT31001140156,Paris',
			'DEU,31001210157,Bonn',
			`,${NUMBERS[3]},Roma`,
		),
		rows: [
			['LV40003032949', 'Rigas'],
			['HR94643876207', 'Zagreb'],
			[NUMBERS[0], 'Milano'],
			['DE136695976', 'Berlin'],
			['ATU12345678', 'Wien'],
			['ESB12345674', 'Madrid'],
			['BE0403170701', 'Gent'],
			['EL123456789', 'Athina'],
			['EL123456780', 'Patra'],
			['FR12345678901', 'Monte-Carlo'],
			'refused',
			'refused',
			[NUMBERS[3], 'Roma'],
		],
	},
	{
		what: 'two columns of countries, in words',
		list: lines(
			'P.IVA;Nome;Nazione;IdPaese',
			'136695976;Berlin;Germania;DE',
			'U12345678;Wien;Österreich;',
			`${NUMBERS[0]};Milano;Italia;IT`,
			'123456789;London;UK;',
			`${NUMBERS[1]};Roma;Italia;HR`,
			`${NUMBERS[2]};Napoli;Padania;`,
			`${NUMBERS[3]};Torino;Germania;`,
		),
		rows: [
			['DE136695976', 'Berlin'],
			['ATU12345678', 'Wien'],
			[NUMBERS[0], 'Milano'],
			['GB123456789', 'London'],
			...(Array(3).fill('refused') as 'refused'[]),
		],
	},

	// Which column is the name. Exports of six systems.
	...['Display Name,Company,VAT', 'Cliente,Nome,P.IVA', 'Customer,Name 1,VAT No.', 'Complete Name,Company,VAT'].map(
		(headers) => ({
			what: `two names: ${headers}`,
			list: lines(headers, `Alfa,Own,IT${NUMBERS[0]}`),
			stop: ASK_WHICH_NAME,
		}),
	),
	...OTHER_NAMES.map(([header, name, other]) => ({
		what: `${header}, with ${name}, beside ${other}`,
		list: lines(`${header};${other};VAT ID`, `${name};Alfa;${NUMBERS[0]}`),
		rows: ['asked' as const],
	})),
	{
		what: 'Salesforce',
		list: lines('"Account Name","Billing Country","VAT Number"', '"Alfa GmbH","Germany","136695976"'),
		rows: [['DE136695976', 'Alfa GmbH']],
		facts: { columns: { name: 'Account Name', vatNumber: 'VAT Number' } },
	},
	{
		what: 'HubSpot',
		list: lines('Company name,Country/Region,VAT ID', 'Alfa SARL,France,40303265045', 'Beta,Germany,DE136695976'),
		rows: [
			['FR40303265045', 'Alfa SARL'],
			['DE136695976', 'Beta'],
		],
	},
	{
		what: 'FatturaPA',
		list: lines('IdPaese;IdCodice;Denominazione', `IT;${NUMBERS[0]};Alfa Srl`),
		rows: [[NUMBERS[0], 'Alfa Srl']],
	},
	{
		what: 'headers of Croatia',
		list: lines('OIB;Naziv', '94643876207;Zagreb', 'SI10000074;Ljubljana', `IT${NUMBERS[0]};Trst`),
		rows: [
			['HR94643876207', 'Zagreb'],
			['SI10000074', 'Ljubljana'],
			[`IT${NUMBERS[0]}`, 'Trst'],
		],
		facts: { columns: { name: 'Naziv', vatNumber: 'OIB' } },
	},
	{
		what: 'headers of Czechia',
		list: lines('DIČ;Název firmy', 'CZ12345679;Praha'),
		rows: [['CZ12345679', 'Praha']],
	},
	{
		what: 'one name in all rows',
		list: lines('VAT,Company', `IT${NUMBERS[0]},Own`, `IT${NUMBERS[1]},Own`),
		rows: ['asked', 'asked'],
	},
	{
		what: "Odoo, with the user's two own companies",
		list: lines('VAT,Company', ...NUMBERS.map((number, index) => `IT${number},${index < 5 ? 'Own Srl' : 'Own SpA'}`)),
		rows: NUMBERS.map(() => 'asked' as const),
	},
	{
		what: 'one name in two rows of eight',
		list: lines(...named(['Own', 'Beta', 'Own', 'Gamma', 'Eta', 'Delta', 'Alfa', 'Bar'])),
		rows: ['Own', 'Beta', 'Own', 'Gamma', 'Eta', 'Delta', 'Alfa', 'Bar'].map((name, index) =>
			name === 'Own' ? 'asked' : [NUMBERS[index]!, name],
		),
	},
	{
		what: 'a name in a hidden column',
		list: workbook([
			{
				rows: [
					['P.IVA', 'Azienda', 'Nota'],
					[NUMBERS[0], 'Alfa', 'x'],
				],
				hidden: { columns: [1] },
			},
		]),
		rows: ['asked'],
		facts: { hidden: ['Azienda'] },
	},
	{
		what: 'rows that a filter hides',
		list: workbook([
			{
				rows: [
					['P.IVA', 'Nome'],
					[NUMBERS[0], 'Alfa'],
					[NUMBERS[1], 'Beta'],
					[NUMBERS[2], 'Gamma'],
				],
				hidden: { rows: [2, 3] },
			},
		]),
		rows: [[NUMBERS[0], 'Alfa'], 'asked', 'asked'],
		facts: { hiddenRows: 2 },
	},

	// Rows and headers.
	{
		what: 'a row of sums with one cell',
		list: lines(...named(['Prima Srl']), 'Totale clienti: 1'),
		stop: /Row 3 has 1 cell, but the headers are 2\. Delete it if it is a total or a note\. Otherwise, quotation marks/,
	},
	{
		what: 'a Hungarian tax number, and an Australian one',
		list: lines(
			'VAT number;name',
			'12345676-2-43;Budapest Kft.',
			'51 824 753 556;Sydney Pty Ltd',
			'HU12345676;Szeged Kft.',
		),
		rows: ['refused', 'refused', ['HU12345676', 'Szeged Kft.']],
	},
];
