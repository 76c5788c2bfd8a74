import { edited, type Rows, workbook } from './listFiles.mts';

/** A list and what is to come of it. */
export interface ListCase {
	what: string;
	list: string | Buffer<ArrayBuffer>;
	/** Why it is not read. */
	stop?: RegExp;
	/** Else each row by its number: its name, where it can be sent; else what is wrong with it. */
	rows?: Record<number, string | RegExp>;
	/** Headers that no field takes. */
	notSent?: string[];
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const NUMBER = '01200000014';

/** A CSV file with a row for each name. */
const named = (...names: string[]) => ['P.IVA;Nome', ...names.map((name) => `${NUMBER};${name}`), ''].join('\n');
const sheet = (...rows: Rows) => workbook([{ rows: [['P.IVA', 'Nome'], ...rows] }]);
const one = {
	rows: [
		['P.IVA', 'Nome'],
		[NUMBER, 'Alfa Srl'],
	],
};
const other = {
	rows: [
		['P.IVA', 'Nome'],
		[NUMBER, 'Beta Srl'],
	],
};
const hidden = (bookType: string) => workbook([{ ...other, isHidden: true }, one], bookType);
const html = `<html><table><tr><td>P.IVA</td><td>Nome</td></tr><tr><td>${NUMBER}</td><td>Alfa</td></tr></table></html>`;

const NOT_READ = /whatever its name says\. Open it in a spreadsheet program, and save it/;
const OLD = /old Excel workbook \(\.xls\), or has a password\. Open it/;
const SHEETS = /has 2 sheets, some of which may be hidden\. Save the list as/;
const UNCLEAR = /doesn't say clearly which sheets it has\. Save the list as/;
const LETTERS = /is not UTF-8, and some of its letters are ambiguous: in line 2, one would be read as "[æÃŠ]"/;
const QUOTATION_MARK = /quotation mark/i;
const TWICE = /more than one column for the Name: .*Put it into one column/;
const DAMAGED = /The Name has characters that were damaged/;
const SHOWN = (place: string) =>
	new RegExp(`^Cell ${place} \\(P\\.IVA|^Cell ${place} \\(VAT number\\) is a number that is shown in another way`);
const NO_VALUE = /^The Name is ".*", which isn't a value/;

/** Names with what elsewhere is a sign of damage. */
const ODD =
	'ASSOCIAÇÃO CRISTÃ DA MOCIDADE|CASA DA LÃ LDA|Bolzano–Bozen Srl|AMANHÃ|Café’s Srl|HÂLÂ TEKSTIL|Škoda–Auto|#Social Srl|N&A Srl'.split(
		'|',
	);

const BROKEN = 'Societ\ufffd|SocietÃ\u00a0|FÃ’ SRL|Lâ€™Aquila|DvoÅ™ák|Alfa_x000D_|Ð¡Ð¾ÑŽÐ·'.split('|');

export const LIST_CASES: ListCase[] = [
	// Formats and sheets.
	{ what: 'xls', list: hidden('biff8'), stop: OLD },
	{ what: 'ods', list: hidden('ods'), stop: UNCLEAR },
	{ what: 'xlsb', list: workbook([one], 'xlsb'), stop: UNCLEAR },
	{ what: 'xlsx with a hidden first sheet', list: hidden('xlsx'), stop: SHEETS },
	{ what: 'xlsx with backslashes', list: edited(hidden('xlsx'), 'xl/worksheets/', 'xl\\worksheets\\'), stop: SHEETS },
	{
		what: 'xlsx with one sheet and backslashes',
		list: edited(workbook([one]), 'xl/worksheets/', 'xl\\worksheets\\'),
		stop: UNCLEAR,
	},
	{
		what: 'xlsx with names in capitals',
		list: edited(hidden('xlsx'), 'xl/worksheets/sheet', 'xl/WorkSheets/Sheet'),
		stop: SHEETS,
	},
	{
		what: 'xlsx with its sheets in another folder',
		list: edited(hidden('xlsx'), 'worksheets', 'mysheets_x'),
		stop: SHEETS,
	},
	{
		what: 'xlsx with its workbook in another place',
		list: edited(workbook([one]), 'xl/workbook.xml', 'xl/Workbook.xml'),
		stop: UNCLEAR,
	},
	{
		what: 'an archive that is cut off',
		list: workbook([one]).subarray(0, 300),
		stop: /archive that can't be opened\. Save the list as/,
	},
	{ what: 'an empty sheet', list: workbook([{ rows: [] }]), stop: /The list is empty/ },
	{ what: 'HTML named .xls', list: html, stop: NOT_READ },
	{ what: 'PDF', list: '%PDF-1.7\n%abc', stop: NOT_READ },
	{ what: 'JSON', list: '{"customers":[]}', stop: NOT_READ },
	{ what: 'zeros', list: 'P.IVA;Nome\n\0\x01;x\n', stop: NOT_READ },
	{ what: 'no bytes', list: ' \n', stop: /The list is empty/ },
	{ what: 'headers alone', list: 'P.IVA;Nome\n\n', stop: /no rows below its headers/ },

	// Cells of a workbook.
	{ what: 'numbers as numbers', list: sheet([12345678903, 'Alfa Srl']), rows: { 2: 'Alfa Srl' } },
	{
		what: 'dates, percentages, decimals and formats',
		list: sheet(
			[{ t: 'n', v: 46007, z: 'd-mmm' }, 'Alfa'],
			[{ t: 'n', v: 0.25, z: '0%' }, 'Alfa'],
			[{ t: 'n', v: 1001.4, z: '0' }, 'Alfa'],
			[{ t: 'n', v: 1200000014, z: '00000000000' }, 'Alfa'],
			[{ t: 'n', v: 12345678903, z: '#,##0' }, 'Alfa'],
			[12345678903, 'Beta'],
			[{ t: 'n', v: 12345678903, z: '0' }, 'Gamma'],
			[1234567890123456, 'Delta'],
		),
		rows: {
			2: SHOWN('A2'),
			3: SHOWN('A3'),
			4: SHOWN('A4'),
			5: SHOWN('A5'),
			6: SHOWN('A6'),
			7: 'Beta',
			8: 'Gamma',
			9: SHOWN('A9'),
		},
	},
	{
		what: 'formulas, errors and truth values',
		list: sheet(
			[{ t: 'n', v: 12345678903, f: 'C2+1' }, 'Alfa'],
			[NUMBER, { t: 's', v: 'Beta', f: 'C3' }],
			[NUMBER, { t: 'e', v: 0x2a }],
			[NUMBER, true],
		),
		rows: {
			2: /^Cell A2 .* is a formula/,
			3: /^Cell B3 \(Name\) is a formula/,
			4: /^Cell B4 .* is an error/,
			5: /^Cell B5 .* is true or false/,
		},
	},
	{
		what: 'a formula in a column that is not sent',
		list: workbook([
			{
				rows: [
					['P.IVA', 'Nome', 'Età'],
					[NUMBER, 'Alfa', { t: 'n', v: 3, f: '1+2' }],
				],
			},
		]),
		rows: { 2: 'Alfa' },
		notSent: ['Età'],
	},
	{
		what: 'rows after five thousand empty ones',
		list: workbook([
			{
				rows: [
					['P.IVA', 'Nome'],
					[NUMBER, 'Alfa'],
					...Array.from({ length: 5000 }, () => []),
					[NUMBER, 'Beta'],
				] as Rows,
			},
		]),
		rows: { 2: 'Alfa', 5003: 'Beta' },
	},
	{
		what: 'a column after AZ',
		list: workbook([
			{
				rows: [
					['P.IVA', ...Array<string>(60).fill(''), 'Nome'],
					[NUMBER, ...Array<string>(60).fill(''), 'Alfa'],
				],
			},
		]),
		rows: { 2: 'Alfa' },
	},
	{
		what: 'a cell far below',
		list: workbook([
			{
				rows: [
					['P.IVA', 'Nome'],
					[NUMBER, 'Alfa'],
				],
				origin: 'A1048575',
			},
		]),
		stop: /goes to column B and row 1048576\. Delete/,
	},
	{
		what: 'a sheet whose size is not true',
		list: edited(workbook([{ rows: [...one.rows, [NUMBER, 'Beta']] }]), 'ref="A1:B3"', 'ref="A1:B2"'),
		rows: { 2: 'Alfa Srl', 3: 'Beta' },
	},
	{
		what: 'cells without a place',
		list: edited(workbook([one]), ' r="A2"', ' q="A2"'),
		stop: /doesn't say where its cells are\. Save/,
	},
	{ what: 'a list that begins in row 3', list: workbook([{ rows: one.rows, origin: 'B3' }]), rows: { 4: 'Alfa Srl' } },

	{
		what: 'formats in single quotes',
		list: edited(sheet([{ t: 'n', v: 46007, z: 'd-mmm' }, 'Alfa']), 'numFmtId="16"', "numFmtId='16'"),
		rows: { 2: SHOWN('A2') },
	},
	{
		what: 'more rows than are read',
		list: named(...Array<string>(20_001).fill('Alfa')),
		stop: /more than 20,000 rows\. Make several/,
	},

	// Separators and quotation marks.
	{
		what: 'sep= in capitals and quotation marks',
		list: `"SEP=;"\r\nP.IVA;Nome\r\n${NUMBER};Alfa, Beta Srl\r\n`,
		rows: { 2: 'Alfa, Beta Srl' },
	},
	{ what: 'sep= of another character', list: `sep=^\nP.IVA^Nome\n${NUMBER}^Alfa\n`, rows: { 2: 'Alfa' } },
	{
		what: 'line breaks in headers',
		list: `"Partita\nIVA";"Ragione\nsociale";Note\n${NUMBER};Alfa Srl;x\n`,
		rows: { 2: 'Alfa Srl' },
		notSent: ['Note'],
	},
	{
		what: 'separators in the quotation marks of a header',
		list: `"Note; altro, e";P.IVA;Nome\nx;${NUMBER};Alfa\n`,
		rows: { 2: 'Alfa' },
		notSent: ['Note; altro, e'],
	},
	{
		what: '="0123"',
		list: `P.IVA;Nome\r\n="${NUMBER}";="Alfa Srl"\r\n="${NUMBER}";Beta Srl\r\n"=""${NUMBER}""";Gamma\r\n`,
		rows: { 2: 'Alfa Srl', 3: 'Beta Srl', 4: 'Gamma' },
	},
	{
		what: 'notes with line breaks and commas',
		list: `P.IVA,Nome,Note\n${NUMBER},Alfa,"prima riga\nuno, due, tre, quattro"\n${NUMBER},Beta,\n`,
		rows: { 2: 'Alfa', 3: 'Beta' },
		notSent: ['Note'],
	},
	{ what: 'an unclosed quotation mark', list: `P.IVA;Nome\n${NUMBER};"Rossi\n${NUMBER};Bar\n`, stop: QUOTATION_MARK },
	{
		what: 'an unclosed quotation mark, closed by another',
		list: `P.IVA;Nome\n${NUMBER};"Rossi\n${NUMBER};Bar\n${NUMBER};Monitor 24"\n`,
		stop: QUOTATION_MARK,
	},
	{
		what: 'the same in a column that is not sent',
		list: `P.IVA;Note;Nome\n${NUMBER};"x;Alfa\n${NUMBER};y";Beta\n`,
		stop: QUOTATION_MARK,
	},
	{ what: 'inches', list: `P.IVA;Nome\n${NUMBER};Monitor 24" Srl\n${NUMBER};Beta\n`, stop: QUOTATION_MARK },
	{
		what: 'quotation marks within a cell',
		list: named('Farmacia "San Marco" Snc', '"Alfa" S.r.l.'),
		rows: { 2: 'Farmacia "San Marco" Snc', 3: '"Alfa" S.r.l.' },
	},
	{ what: 'spaces before quotation marks', list: `P.IVA, Nome\n${NUMBER}, "Alfa Srl"\n`, rows: { 2: 'Alfa Srl' } },
	{
		what: 'a separator without quotation marks',
		list: named('Alfa; Beta'),
		stop: /Row 2 has 3 cells, but the headers are 2\..*cell that contains the separator in quotation marks/,
	},
	{
		what: 'a row with too few cells',
		list: `P.IVA;Nome;Note\n\n${NUMBER};"Alfa\nSrl";\n${NUMBER};Alfa\n`,
		stop: /Row 4 has 2 cells, but the headers are 3\./,
	},
	{
		what: 'line breaks of several kinds',
		list: `P.IVA;Nome\r\n${NUMBER};Alfa\n${NUMBER};Beta\r${NUMBER};Gamma\n\r\n${NUMBER};Delta`,
		rows: { 2: 'Alfa', 3: 'Beta', 4: 'Gamma', 6: 'Delta' },
	},
	{
		what: 'empty rows and rows of spaces',
		list: `\n  \nP.IVA;Nome\n\n;\n \t\n${NUMBER};Alfa\n\x1a`,
		rows: { 7: 'Alfa' },
	},
	{
		what: 'a line break in a name',
		list: `P.IVA;Nome\n${NUMBER};"Alfa\nSrl"\n${NUMBER};Beta\n`,
		rows: { 2: /The Name has a line break/, 3: 'Beta' },
	},

	// Character sets.
	{
		what: 'Windows-1252',
		list: latin1(named('Società Forlì', 'D\x92Angelo & Fils', 'Müller \x80 Straße')),
		rows: { 2: 'Società Forlì', 3: 'D’Angelo & Fils', 4: 'Müller € Straße' },
	},
	{ what: 'Windows-1250', list: latin1(named('Kova\x8aevi\xe6 d.o.o.')), stop: LETTERS },
	{
		what: 'letters of DOS, a Mac or Cyrillic, each of which could be another',
		list: latin1(named('FRAN\x80OIS Srl', 'NICCOL\xf1 Srl', '\xc8\xe2\xe0\xed\xee\xe2')),
		rows: { 2: 'FRAN€OIS Srl', 3: 'NICCOLñ Srl', 4: 'Èâàíîâ' },
	},
	{ what: 'UTF-8 and Windows-1252', list: latin1(named('Societ\xc3\xa0', 'Forl\xec')), stop: LETTERS },
	{
		what: 'UTF-16 from the other end',
		list: Buffer.from(`\ufeff${named('Società')}`, 'utf16le').swap16(),
		rows: { 2: 'Società' },
	},
	{
		what: 'damaged characters',
		list: named(...BROKEN),
		rows: Object.fromEntries(BROKEN.map((_name, index) => [index + 2, DAMAGED])),
	},
	{
		what: 'codes of HTML',
		list: `P.IVA,Nome\n${NUMBER},Rossi &amp; Figli\n${NUMBER},Rossi & Figli\n`,
		rows: { 2: DAMAGED, 3: 'Rossi & Figli' },
	},
	{
		what: 'letters of another alphabet within a word',
		list: named('Rоssi Srl', 'ΑLFA', 'Ромашка ООО', 'Αθήνα ΑΕ'),
		rows: { 2: DAMAGED, 3: DAMAGED, 4: 'Ромашка ООО', 5: 'Αθήνα ΑΕ' },
	},
	{
		what: 'names that are odd and right',
		list: named(...ODD),
		rows: Object.fromEntries(ODD.map((name, index) => [index + 2, name])),
	},
	{
		what: 'joiners of letters and emoji',
		list: named('شرکت می\u200cخواهم', 'Studio 👩\u200d💻 Srl', '\u200bAl\u00adfa\u200e Srl'),
		rows: { 2: 'شرکت می\u200cخواهم', 3: 'Studio 👩\u200d💻 Srl', 4: 'Alfa Srl' },
	},
	{
		what: 'what is no name',
		list: named('#N/D', '#REF!', '=A1', 'N/A', '-', 'Totale', '1,23E+05', 'null', '??? ??', '\u200b'),
		rows: {
			...Object.fromEntries([2, 3, 4, 5, 6, 7, 8, 9, 10].map((row) => [row, NO_VALUE])),
			11: /The Name is missing/,
		},
	},

	// Columns.
	{
		what: "SAP's Customer, which is an id",
		list: `Customer;Name 1;VAT number\nC00123;Alfa Srl;${NUMBER}\n`,
		rows: { 2: 'Alfa Srl' },
		notSent: ['Customer'],
	},
	{
		what: 'a name in two columns',
		list: `P.IVA;Ragione sociale;Ragione sociale 2\n${NUMBER};SOCIETA COOPERATIVA;SAN GIORGIO\n`,
		stop: TWICE,
	},
	{ what: 'a name and a surname', list: `P.IVA;Nome;Cognome\n${NUMBER};Mario;Rossi\n`, stop: TWICE },
	{
		what: 'a title above the headers',
		list: `Elenco clienti;\nP.IVA;Nome\n${NUMBER};Alfa\n`,
		stop: /has no column for the VAT number, and none for the Name\. Its headers are: "Elenco clienti".*delete what is above them/,
	},
	{
		what: 'a column without a header',
		list: `P.IVA;Nome;;\n${NUMBER};Alfa;;x\n`,
		rows: { 2: 'Alfa' },
		notSent: ['column D'],
	},
];
