import { readFileSync } from 'node:fs';
import path from 'node:path';

import { ROOT } from '../../../scripts/bootstrap/paths.mjs';
import { readExample, withoutLogin } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';
import { callWebhook } from '../../support/n8n/workflow.mts';
import { callsOf, CREATE } from './createCustomersOnce.mts';
import { sendForm } from './n8nForm.mts';

export const IDS = ['customersFromList', 'customersFromWebhook'];

export const prepare: Prepare = async () =>
	['customers-from-list', 'customers-from-webhook'].map((file) => withoutLogin(readExample(file)));

const CONFIRMED = { 'Create them?': 'Yes, I have checked them' };

export function tests(fixture: () => ExamplesFixture): void {
	const { created, inject } = callsOf(fixture);
	const customers = () => fixture().sandbox.state().customers;
	const names = () =>
		customers()
			.map(({ name }) => name)
			.sort();
	const requests = () => fixture().sandbox.state().counters.requests;

	const upload = async (list: string, ...next: Array<Record<string, string>>) =>
		await sendForm(
			`${fixture().server.url}/form/customers-from-list`,
			{ Customers: new File([list], 'list.csv') },
			...next,
		);

	/** A list is a file, or an object of JSON. */
	const post = async (list: object | string, query = '') => {
		const form = new FormData();
		form.set('List', new File([String(list)], 'list.csv'));
		const { status, body } = await callWebhook(
			`${fixture().server.url}/webhook/receive-customers${query}`,
			typeof list === 'string' ? form : list,
		);
		return { status, body: body as Record<string, unknown> };
	};

	test('says what would be created, and which column is not sent, before it sends anything', async () => {
		const PEC =
			'Ragione sociale;P.IVA;PEC\nPec numero 1 Srl;30000130150;uno@pec.example\nPec numero 2 Srl;30000260155;\nPec numero 3 Srl;30000390150;tre@pec.example\n';
		const { title, text, between } = await upload(PEC, CONFIRMED);
		expect(between[0]).toMatch(
			/Create these customers\?[^]*Rows read: 3\s+Would be created: 3\s+Columns that are not sent: PEC\s/,
		);
		expect(between[0]).toMatch(/PEC\s[^]*Row 3: 30000260155, Pec numero 2 Srl/);
		expect(title).toBe('All customers are created');
		expect(text).toMatch(/^Rows read: 3\nCreated: 3\nColumns that are not sent: PEC\n/);
		expect(customers().map((customer) => 'pec' in customer)).toEqual([false, false, false]);
	});

	test('says what became of each row, on a page and in a file in which no cell is a formula', async () => {
		inject(
			{ fault: 'http', status: 500, path: CREATE, processed: true, bodyContains: 'Lost' },
			{ fault: 'http', status: 400, path: CREATE, bodyContains: 'Rejected' },
		);
		const list = [
			'P.IVA;Nome',
			'30000130150;Alfa Srl',
			'IT123;Too short',
			';',
			'30000260155;Rejected',
			'30000390150;=1+1',
			'12345678903;Lost',
			';No number',
			'01200000014;12',
			'01200070017;"Beta,=2+2"',
			'',
		];
		const { title, text, file } = await upload(list.join('\n'), CONFIRMED);
		expect([title, names()]).toEqual(['Not all customers are created', ['Alfa Srl', 'Beta,=2+2', 'Lost']]);
		expect(text).toMatch(/^Rows read: 8\nOpen: 1\nRefused: 5\nCreated: 2\n/);
		for (const line of [
			/^Row 3: IT123, Too short\. .*11 digits/m,
			/^Row 6: 30000390150, =1\+1\. The name is "=1\+1", which is no value/m,
			/^Row 8: no number, No number\. The VAT number is missing/m,
			/^Row 9: 01200000014, 12\. "12" is not a name/m,
		])
			expect(text).toMatch(line);
		expect(text).toMatch(/Settle open customers$/);
		const rows = file.replace(/^\ufeff/, '').split('\r\n');
		expect([rows[0], rows.length, rows[4]]).toEqual([
			'"row","vatNumber","name","result","reason"',
			9,
			expect.stringMatching(/^"6","30000390150","'=1\+1","refused",/),
		]);
		expect(rows).toContainEqual(expect.stringMatching(/^"10","01200070017","Beta,'=2\+2","created",/));
	});

	test('says of a list that nobody confirms which rows have one number, refuses values of JSON that are no text, and sends nothing', async () => {
		const rows = [
			{ vatNumber: 'DE700000001', name: 'Alfa SpA' },
			{ vatNumber: 'de 700 000 001', name: 'Beta Srl' },
			{ vatNumber: 'DE700000002', name: { first: 'A' } },
		];
		const { status, body } = await post({ customers: rows });
		expect([status, body, requests()]).toMatchObject([
			200,
			{ title: 'Create these customers?', sums: { read: 3, 'would be created': 2, refused: 1 } },
			0,
		]);
		expect((body.rows as Array<{ reason: string }>).map(({ reason }) => reason)).toEqual([
			'',
			expect.stringMatching(/^The same VAT number as row 1: created once if the name is the same/),
			expect.stringMatching(/^The name is "=\{"first":"A"\}", which is no value/),
		]);
	});

	test('creates what a webhook receives as a file or as JSON, only when it is told to', async () => {
		const rows = [
			{ vatNumber: '30000130150', name: 'Alfa Srl', age: 7 },
			{ vatNumber: 'IT123', name: 'Beta' },
		];
		const { status, body } = await post({ customers: rows }, '?create=true');
		expect([status, body]).toEqual([
			200,
			expect.objectContaining({
				title: 'Not all customers are created',
				sums: { read: 2, refused: 1, created: 1 },
				notSent: ['age'],
			}),
		]);
		expect((body.rows as object[])[0]).toMatchObject({
			row: 1,
			vatNumber: '30000130150',
			name: 'Alfa Srl',
			result: 'created',
		});
		expect((await post('P.IVA;Nome\n30000260155;Beta\n', '?create=true')).body).toMatchObject({
			sums: { read: 1, created: 1 },
		});
		expect(names()).toEqual(['Alfa Srl', 'Beta']);
	});

	test.each([
		[{}],
		[{ customers: 'DE1' }],
		[{ customers: ['DE1'] }],
		[{ customers: [] }],
		['P.IVA;City\nDE1;Roma\n'],
		['P.IVA;Nome\n'],
	])('answers a webhook with 400 and the reason when it has no list: %j', async (body) => {
		expect(await post(body, '?create=true')).toEqual({
			status: 400,
			body: { stop: expect.stringMatching(/^(?:There is no|The list (?:is|has)) /) },
		});
		expect(requests()).toBe(0);
	});

	test('does with each row of hard-cases.csv what README of the examples says', async () => {
		const [list, readme] = ['hard-cases.csv', 'README.md'].map((name) =>
			readFileSync(path.join(ROOT, 'examples', name), 'utf8'),
		) as [string, string];
		const rowsThat = (are: string) =>
			[...readme.matchAll(new RegExp(`^\\| ([\\d, ]+?) +\\| [^|]+ \\| ${are}`, 'gm'))]
				.flatMap(([, rows]) => rows!.split(', ').map(Number))
				.sort((one, other) => one - other);
		expect(rowsThat('')).toEqual(
			list
				.trimEnd()
				.split('\n')
				.slice(1)
				.map((_line, index) => index + 2),
		);
		const { body } = await post(list);
		const checked = body.rows as Array<{ row: number; result: string; key: string }>;
		expect(checked.filter(({ result }) => result === 'refused').map(({ row }) => row)).toEqual(
			rowsThat('Refused +\\|'),
		);
		const good = checked.filter(({ result }) => result !== 'refused');
		expect(good.map(({ row }) => row)).toEqual(
			[...rowsThat('Created'), ...rowsThat('Not created again'), ...rowsThat('Refused at the end')].sort(
				(one, other) => one - other,
			),
		);
		expect([...new Set(good.map(({ key }) => key))]).toEqual([
			'IT10203040505',
			'IT01020304059',
			'DE102030405',
			'CHE102030405',
			'IT00102030400',
		]);
		expect(readme).toContain(
			`${checked.length} rows read, ${checked.length - good.length} refused, ${good.length} would be created`,
		);
	});

	// By the block itself, which remembers.
	test('creates each customer of hard-cases.csv once, also when it is uploaded again', async () => {
		const list = readFileSync(path.join(ROOT, 'examples', 'hard-cases.csv'), 'utf8');
		const numbers = ['01020304059', 'CHE-102.030.405', 'IT00102030400', 'IT10203040505'];
		const first = await upload(list, CONFIRMED);
		expect(first.text).toMatch(/^Rows read: 22\nRefused: 17\nCreated: 4\nExisted before: 1\n/);
		const again = await upload(list, CONFIRMED);
		expect(again.text).toMatch(/^Rows read: 22\nRefused: 17\nExisted before: 5\n/);
		expect(created()).toEqual(numbers);
	});

	test('sends nothing of a list that is not read, or of which no row is right, and says so', async () => {
		expect(await upload('P.IVA;City\nDE1;Roma\n')).toMatchObject({
			title: 'Nothing was sent',
			text: expect.stringContaining('The list has no column for the name. Its headers are: "P.IVA", "City"'),
		});
		expect(await upload('P.IVA;Nome\nIT123;Alfa\n')).toMatchObject({
			title: 'Nothing was sent',
			text: expect.stringMatching(/^Rows read: 1\nRefused: 1\n/),
		});
		expect(requests()).toBe(0);
	});
}
