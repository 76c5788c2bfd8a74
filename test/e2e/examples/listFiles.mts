import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { n8n } from '../../support/n8n/n8n.mts';

type Cell = string | number;

/** A list as a spreadsheet program saves it. */
export interface ListFile {
	kind: string;
	/** How this file writes a header; each writes it differently. */
	header(name: string): string;
	of(rows: Cell[][]): File;
}

/** What is used of the library by which n8n itself reads workbooks. */
interface Xlsx {
	utils: { book_new(): object; aoa_to_sheet(rows: Cell[][]): object; book_append_sheet(book: object, sheet: object, name: string): void };
	write(book: object, options: { type: 'buffer'; bookType: 'xlsx' }): Uint8Array<ArrayBuffer>;
}

/** A CSV file: cells with its separator in quotation marks. */
export function csv(rows: Cell[][], separator = ',', lineEnd = '\n'): string {
	const quoted = (value: string) => (value.includes(separator) || value.includes('"') ? `"${value.replaceAll('"', '""')}"` : value);
	return rows.map((row) => row.map((value) => quoted(String(value))).join(separator) + lineEnd).join('');
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

/** A text in an encoding of Node. */
const text = (content: string, encoding: BufferEncoding = 'utf8') => new File([Buffer.from(content, encoding)], 'list.csv');

/** Each kind that people upload. */
export const LIST_FILES: ListFile[] = [
	{ kind: 'commas, UTF-8', header: (name) => name, of: (rows) => text(csv(rows)) },
	{
		kind: 'semicolons, UTF-8 with a byte-order mark',
		header: (name) => name.toUpperCase(),
		of: (rows) => text(`\uFEFF${csv(rows, ';', '\r\n')}`),
	},
	{ kind: 'semicolons, Windows-1252', header: (name) => ` ${name} `, of: (rows) => text(csv(rows, ';', '\r\n'), 'latin1') },
	{
		kind: 'semicolons that a first line announces',
		header: (name) => name,
		of: (rows) => text(`sep=;\r\n${csv(rows, ';', '\r\n').replace(/^.*/, (headers) => headers.replaceAll(/[^;]+/g, '"$&"'))}`),
	},
	{
		kind: 'tabs, UTF-16 with a byte-order mark',
		header: (name) => name.replaceAll(' ', '_'),
		of: (rows) => text(`\uFEFF${csv(rows, '\t', '\r\n')}`, 'utf16le'),
	},
	{ kind: 'tabs, UTF-16 without one', header: (name) => name.replaceAll(' ', '-'), of: (rows) => text(csv(rows, '\t', '\r\n'), 'utf16le') },
	{ kind: 'Excel, with numbers stored as numbers', header: (name) => name, of: (rows) => workbook(rows) },
];
