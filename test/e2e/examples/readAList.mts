import type { IDataObject } from 'n8n-workflow';

import { chain, webhook } from '../../support/n8n/workflow.mts';
import { type Example, readExample } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';
import { LIST_CASES } from './listCases.mts';
import { LIST_FILES, type Rows } from './listFiles.mts';

export const ID = 'readAList';

/** A workflow that gives it the file and the columns that its webhook receives. */
export const CALLER = 'callReadAList';

const NAMES = 'Name, Ragione sociale, Nome, Cognome, Company name';
const COLUMNS = { 'vatNumber*': 'VAT number, Partita IVA, P.IVA, VAT', 'name*': NAMES };

export const prepare: Prepare = async () => {
	const columns = { mode: 'raw', jsonOutput: '={{ $json.body.columns ? JSON.parse($json.body.columns) : $json.body }}', options: { includeBinary: true } };
	const call = { workflowId: { __rl: true, mode: 'list', value: ID }, mode: 'once', options: {},
		workflowInputs: { mappingMode: 'defineBelow', value: {}, matchingColumns: [], schema: [] } };
	const caller = chain({ id: CALLER, name: 'Call Read a list', start: webhook(CALLER), nodes: [
		{ name: 'Columns', type: 'n8n-nodes-base.set', typeVersion: 3.3, parameters: columns },
		{ name: 'Call', type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2, parameters: call },
	] });
	return [readExample('read-a-list', ID), caller as unknown as Example];
};

export function tests(fixture: () => ExamplesFixture): void {
	const ask = async (body: RequestInit['body'], headers = {}) => {
		const response = await fetch(`${fixture().server.url}/webhook/${CALLER}`, { method: 'POST', headers, body: body ?? null });
		const text = await response.text();
		if (response.status !== 200) throw new Error(`n8n answered ${response.status}: ${text}`);
		return JSON.parse(text) as IDataObject[];
	};

	const read = async (list: File | string | Buffer<ArrayBuffer>, columns: object = COLUMNS) => {
		const form = new FormData();
		form.set('columns', JSON.stringify(columns));
		form.set('List', list instanceof File ? list : new File([list], 'list.csv'));
		return await ask(form);
	};

	test.each(LIST_CASES)('reads each row once, or says what to do: $what', async ({ list, stop, rows, notSent = [] }) => {
		const given = await read(list);
		if (stop) return expect(given).toEqual([{ stop: expect.stringMatching(stop) }]);
		expect(given.map(({ stop: reason }) => reason).filter(Boolean)).toEqual([]);
		const expected = Object.entries(rows!).map(([row, is]) => ({ row: Number(row), notSent, ...(typeof is === 'string' ? { name: is } : { problem: expect.stringMatching(is) }) }));
		expect(given).toEqual(expected.map((row) => expect.objectContaining(row)));
		expect(given.filter(({ problem }) => problem)).toHaveLength(Object.values(rows!).filter((is) => is instanceof RegExp).length);
	});

	const ROWS: Rows = [['City', 'VAT', 'Ragione sociale', 'PEC'], ['Roma', '01200000014', 'Società; Forlì', 'uno@pec.example'], ['', '', '', ''], ['', 12345678903, 'Rossi', '']];

	test.each(LIST_FILES)('reads a file with $kind, by the headers that mean its columns', async ({ header, of }) => {
		const [[city, , ...others], ...rows] = ROWS as [Rows[number], ...Rows];
		const read1 = await read(of([[city!, header, ...others], ...rows]), { ...COLUMNS, pec: 'PEC', city: 'Town, city' });
		expect(read1).toEqual([
			{ row: 2, vatNumber: '01200000014', name: 'Società; Forlì', pec: 'uno@pec.example', city: 'Roma', notSent: [] },
			{ row: 4, vatNumber: '12345678903', name: 'Rossi', notSent: [] },
		]);
	});

	test('reads a list of objects in place of a file, and says so where there is neither', async () => {
		const json = async (body: object) => await ask(JSON.stringify(body), { 'content-type': 'application/json' });
		const rows = [{ vatNumber: '01200000014', name: 'Alfa "Srl"; Roma', note: null, age: 7 }, { vatNumber: '', name: 'Beta' }];
		expect(await json({ ...COLUMNS, rows })).toEqual([
			{ row: 1, vatNumber: '01200000014', name: 'Alfa "Srl"; Roma', notSent: ['age'] },
			{ row: 2, vatNumber: '', name: 'Beta', notSent: ['age'], problem: 'The VAT number is missing.' },
		]);
		for (const bad of [{}, { rows: 'DE1' }, { rows: ['DE1'] }]) expect(await json({ ...COLUMNS, ...bad })).toEqual([{ stop: 'There is no file, and no list of rows.' }]);
		expect(await json({ ...COLUMNS, rows: [] })).toEqual([{ stop: 'The list is empty.' }]);
	});
}
