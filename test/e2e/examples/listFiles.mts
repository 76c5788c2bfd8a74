import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { n8n } from '../../support/n8n/n8n.mts';

type Cell = string | number;

/** What is used of the library by which n8n itself reads workbooks. */
interface Xlsx {
	utils: { book_new(): object; aoa_to_sheet(rows: Cell[][]): object; book_append_sheet(book: object, sheet: object, name: string): void };
	write(book: object, options: { type: 'buffer'; bookType: 'xlsx' }): Uint8Array<ArrayBuffer>;
}

/** A CSV file with what stands before its rows, in an encoding of Node; cells with its separator are in quotation marks. */
function csv(rows: Cell[][], separator: string, encoding: BufferEncoding = 'utf8', before = ''): File {
	const quoted = (value: string) => (value.includes(separator) || value.includes('"') ? `"${value.replaceAll('"', '""')}"` : value);
	const lines = rows.map((row) => `${row.map((value) => quoted(String(value))).join(separator)}\r\n`);
	return new File([Buffer.from(before + lines.join(''), encoding)], 'list.csv');
}

/** A workbook of these sheets. */
export function workbook(...sheets: Cell[][][]): File {
	// n8n 2.41.1 has it under another name than 2.8.4.
	const folder = ['@e965/xlsx', 'xlsx'].map((name) => path.join(n8n.modules, name)).find(existsSync)!;
	const { utils, write } = createRequire(import.meta.url)(folder) as Xlsx;
	const book = utils.book_new();
	for (const [index, sheet] of sheets.entries()) utils.book_append_sheet(book, utils.aoa_to_sheet(sheet), `List ${index + 1}`);
	return new File([write(book, { type: 'buffer', bookType: 'xlsx' })], 'list.xlsx');
}

/** Each kind that people upload, and a header that means the VAT number, each another one. */
export const LIST_FILES: Array<{ kind: string; header: string; of(rows: Cell[][]): File }> = [
	{ kind: 'commas, UTF-8', header: 'vatNumber', of: (rows) => csv(rows, ',') },
	{ kind: 'semicolons, UTF-8 with a byte-order mark', header: 'PARTITA IVA', of: (rows) => csv(rows, ';', 'utf8', '\uFEFF') },
	{ kind: 'semicolons, Windows-1252', header: ' P. IVA ', of: (rows) => csv(rows, ';', 'latin1') },
	{ kind: 'semicolons that a first line announces', header: 'VAT', of: (rows) => csv(rows, ';', 'utf8', 'sep=;\r\n') },
	{ kind: 'tabs, UTF-16 with a byte-order mark', header: 'vat_number', of: (rows) => csv(rows, '\t', 'utf16le', '\uFEFF') },
	{ kind: 'tabs, UTF-16 without one', header: 'VAT-number', of: (rows) => csv(rows, '\t', 'utf16le') },
	{ kind: 'Excel, with numbers stored as numbers', header: 'P.IVA', of: (rows) => workbook(rows) },
];
