import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { n8n } from '../../support/n8n/n8n.mts';

/** A cell as n8n's own library takes it: `z` is its number format, `f` its formula. */
type Cell = string | number | boolean | null | { t: 'n' | 's' | 'e'; v: string | number; z?: string; f?: string };
export type Rows = Cell[][];

interface Sheet {
	rows: Rows;
	isHidden?: boolean;
	/** What of it is hidden, counted from 0. */
	hidden?: { rows?: number[]; columns?: number[] };
	/** Where the rows begin. */
	origin?: string;
}

/** What is used of the library by which n8n itself reads workbooks. */
interface Xlsx {
	utils: {
		book_new(): { Workbook?: object };
		aoa_to_sheet(rows: Rows, options?: { origin: string }): Record<string, unknown>;
		book_append_sheet(book: object, sheet: object, name: string): void;
		sheet_to_json(sheet: object, options: { header: 1 }): string[][];
	};
	read(file: Buffer): { SheetNames: string[]; Sheets: Record<string, Record<string, { f?: string }>> };
	write(book: object, options: { type: 'buffer'; bookType: string; compression?: boolean }): Uint8Array<ArrayBuffer>;
}

/** A CSV file with what stands before its rows, in an encoding of Node; cells with its separator are in quotation marks. */
function csv(rows: Rows, separator: string, encoding: BufferEncoding = 'utf8', before = ''): File {
	const quoted = (value: string) =>
		value.includes(separator) || value.includes('"') ? `"${value.replaceAll('"', '""')}"` : value;
	const lines = rows.map((row) => `${row.map((value) => quoted(String(value))).join(separator)}\r\n`);
	return new File([Buffer.from(before + lines.join(''), encoding)], 'list.csv');
}

/** n8n 2.41.1 has it under another name than 2.8.4. */
function xlsx(): Xlsx {
	const folder = ['@e965/xlsx', 'xlsx'].map((name) => path.join(n8n.modules, name)).find(existsSync)!;
	return createRequire(import.meta.url)(folder) as Xlsx;
}

/** The cells of a workbook's one sheet, row by row. */
export function cellsOf(file: Buffer): string[][] {
	const { read, utils } = xlsx();
	const { SheetNames, Sheets } = read(file);
	const [sheet] = SheetNames.map((name) => Sheets[name]!);
	const formulas = Object.entries(sheet!).filter(([, { f }]) => f !== undefined);
	if (SheetNames.length > 1 || formulas.length > 0) throw new Error('The workbook has several sheets, or a formula');
	return utils.sheet_to_json(sheet!, { header: 1 });
}

/** A workbook of these sheets, in a format of n8n's library. */
export function workbook(sheets: Sheet[], bookType = 'xlsx'): Buffer<ArrayBuffer> {
	const { utils, write } = xlsx();
	const book = utils.book_new();
	for (const [index, { rows, origin, hidden }] of sheets.entries()) {
		const sheet = utils.aoa_to_sheet(rows, { origin: origin ?? 'A1' });
		const marked = (places: number[] = []) => rows.flat().map((_cell, place) => ({ hidden: places.includes(place) }));
		if (hidden) Object.assign(sheet, { '!rows': marked(hidden.rows), '!cols': marked(hidden.columns) });
		utils.book_append_sheet(book, sheet, `List ${index + 1}`);
	}
	book.Workbook = { Sheets: sheets.map(({ isHidden }) => ({ Hidden: isHidden ? 1 : 0 })) };
	return Buffer.from(write(book, { type: 'buffer', bookType }));
}

/** A workbook whose files have other names or another text of the same length: their contents are not compressed. */
export function edited(file: Buffer<ArrayBuffer>, from: string, to: string): Buffer<ArrayBuffer> {
	if (from.length !== to.length) throw new Error('The archive says how long each text is');
	return Buffer.from(file.toString('latin1').replaceAll(from, to), 'latin1');
}

/** Each kind that people upload, and a header that means the VAT number, each another one. */
export const LIST_FILES: Array<{ kind: string; header: string; of(rows: Rows): File }> = [
	{ kind: 'commas, UTF-8', header: 'vatNumber', of: (rows) => csv(rows, ',') },
	{
		kind: 'semicolons, UTF-8 with a byte-order mark',
		header: 'PARTITA IVA',
		of: (rows) => csv(rows, ';', 'utf8', '\uFEFF'),
	},
	{ kind: 'semicolons, Windows-1252', header: ' P. IVA ', of: (rows) => csv(rows, ';', 'latin1') },
	{ kind: 'semicolons that a first line announces', header: 'VAT', of: (rows) => csv(rows, ';', 'utf8', 'sep=;\r\n') },
	{
		kind: 'tabs, UTF-16 with a byte-order mark',
		header: 'vat_number',
		of: (rows) => csv(rows, '\t', 'utf16le', '\uFEFF'),
	},
	{ kind: 'tabs, UTF-16 without one', header: 'VAT-number', of: (rows) => csv(rows, '\t', 'utf16le') },
	{ kind: 'bars', header: 'Partita-IVA', of: (rows) => csv(rows, '|') },
	{
		kind: 'Excel, with numbers stored as numbers',
		header: 'P.IVA',
		of: (rows) => new File([workbook([{ rows }])], 'list.xlsx'),
	},
];
