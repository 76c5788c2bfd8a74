import type { IDataObject } from 'n8n-workflow';

import { callWebhook } from '../../support/n8n/workflow.mts';
import { callerOf, readExample } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';
import { LIST_CASES } from './listCases.mts';
import { LIST_FILES, type Rows } from './listFiles.mts';

const ID = 'readAList';

/** A workflow that gives it the file and the columns that its webhook receives. */
const CALLER = 'callReadAList';

export const IDS = [ID, CALLER];

const NAMES = 'Name, Ragione sociale, Nome, Cognome, Company name';
const COLUMNS = { 'vatNumber*': 'VAT number, Partita IVA, P.IVA, VAT', 'name*': NAMES };

export const prepare: Prepare = async () => {
	const columns = {
		mode: 'raw',
		jsonOutput: '={{ $json.body.columns ? JSON.parse($json.body.columns) : $json.body }}',
		options: { includeBinary: true },
	};
	return [
		readExample('read-a-list'),
		callerOf(ID, CALLER, { type: 'n8n-nodes-base.set', typeVersion: 3.3, parameters: columns }),
	];
};

export function tests(fixture: () => ExamplesFixture): void {
	const ask = async (list: object) => {
		const { status, body } = await callWebhook(`${fixture().server.url}/webhook/${CALLER}`, list);
		if (status !== 200) throw new Error(`n8n answered ${status}: ${JSON.stringify(body)}`);
		return body as IDataObject[];
	};

	const read = async (list: File | string | Buffer<ArrayBuffer>, columns: object = COLUMNS) => {
		const form = new FormData();
		form.set('columns', JSON.stringify(columns));
		form.set('List', list instanceof File ? list : new File([list], 'list.csv'));
		return await ask(form);
	};

	test.each(LIST_CASES)(
		'reads each row once, or says what to do: $what',
		async ({ list, stop, rows, notSent = [] }) => {
			const given = await read(list);
			if (stop) return expect(given).toEqual([{ stop: expect.stringMatching(stop) }]);
			expect(given.map(({ stop: reason }) => reason).filter(Boolean)).toEqual([]);
			const found = given.map(({ problem, doubt, ...row }) => ({ ...row, wrong: problem ?? doubt }));
			const expected = Object.entries(rows!).map(([row, is]) => ({
				row: Number(row),
				notSent,
				...(typeof is === 'string' ? { name: is } : { wrong: expect.stringMatching(is) }),
			}));
			expect(found).toEqual(expected.map((row) => expect.objectContaining(row)));
			expect(found.filter(({ wrong }) => wrong)).toHaveLength(
				Object.values(rows!).filter((is) => is instanceof RegExp).length,
			);
		},
	);

	test('reads one file at a time', async () => {
		const form = new FormData();
		form.set('columns', JSON.stringify(COLUMNS));
		for (const name of ['List', 'Other']) form.set(name, new File(['P.IVA;Nome'], 'list.csv'));
		expect(await ask(form)).toEqual([{ stop: 'There are several files. Send one at a time.' }]);
	});

	const ROWS: Rows = [
		['City', 'VAT', 'Ragione sociale', 'PEC'],
		['Roma', '01200000014', 'Società; Forlì', 'uno@pec.example'],
		['', '', '', ''],
		['', 12345678903, 'Rossi', ''],
	];

	test.each(LIST_FILES)(
		'reads a file with $kind, by the headers that mean its columns',
		async ({ kind, header, of }) => {
			const [[city, , ...others], ...rows] = ROWS as [Rows[number], ...Rows];
			const read1 = await read(of([[city!, header, ...others], ...rows]), {
				...COLUMNS,
				pec: 'PEC',
				city: 'Town, city',
			});
			const [{ list, asks = [], ...first }, ...rest] = read1 as [IDataObject, ...IDataObject[]];
			expect([list, asks]).toMatchObject([
				{
					columns: { vatNumber: header.trim(), name: 'Ragione sociale', pec: 'PEC', city: 'City' },
					hidden: [],
					hiddenRows: 0,
				},
				kind.includes('1252') ? ['Are the letters of these names right?'] : [],
			]);
			expect([first, ...rest]).toEqual([
				{ row: 2, vatNumber: '01200000014', name: 'Società; Forlì', pec: 'uno@pec.example', city: 'Roma', notSent: [] },
				{ row: 4, vatNumber: '12345678903', name: 'Rossi', notSent: [] },
			]);
		},
	);

	test('refuses a field with a name of its own, and takes no header for an empty name', async () => {
		const list = '#;P.IVA;Nome\n1;01200000014;Alfa\n';
		expect(await read(list, { ...COLUMNS, row: 'Riga' })).toEqual([
			{ stop: expect.stringMatching(/^The workflow needs the name "row" for itself\. In the node "Columns", give/) },
		]);
		expect(await read(list, { ...COLUMNS, pec: 'PEC,' })).toMatchObject([
			{ row: 2, name: 'Alfa', notSent: ['#'], list: { columns: { name: 'Nome', pec: null } } },
		]);
	});

	test('reads a list of objects in place of a file, and says so where there is neither', async () => {
		const rows = [
			{ vatNumber: '01200000014', name: 'Alfa "Srl"; Roma', note: null, age: 7 },
			{ vatNumber: '', name: 'Beta' },
		];
		expect(await ask({ ...COLUMNS, rows })).toEqual([
			{
				row: 1,
				vatNumber: '01200000014',
				name: 'Alfa "Srl"; Roma',
				notSent: ['age'],
				list: { columns: { vatNumber: 'vatNumber', name: 'name' }, hidden: [], hiddenRows: 0 },
			},
			{ row: 2, vatNumber: '', name: 'Beta', notSent: ['age'], problem: 'The VAT number is missing.' },
		]);
		for (const bad of [{}, { rows: 'DE1' }, { rows: ['DE1'] }])
			expect(await ask({ ...COLUMNS, ...bad })).toEqual([
				{ stop: expect.stringMatching(/^The file is empty, or there is none and no list of rows: in "rows"/) },
			]);
		expect(await ask({ ...COLUMNS, rows: [] })).toEqual([{ stop: 'The list is empty.' }]);
	});
}
