import { readFileSync } from 'node:fs';
import path from 'node:path';

import { ROOT } from '../../../scripts/bootstrap/paths.mjs';
import { publishWorkflow } from '../../../scripts/n8n/server.mts';
import { readExample, withNode, withoutLogin } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';
import { callWebhook } from '../../support/n8n/workflow.mts';
import { callsOf, CREATE } from './createCustomersOnce.mts';
import { CLERK_LISTS } from './clerkLists.mts';
import { workbook } from './listFiles.mts';
import { type Answers, sendForm } from './n8nForm.mts';

/** With a column more. */
const WITH_PEC = 'customersWithPec';

export const IDS = ['customersFromList', 'customersFromWebhook', WITH_PEC];

export const prepare: Prepare = async () => [
	...['customers-from-list', 'customers-from-webhook'].map((file) => withoutLogin(readExample(file))),
	withNode(withoutLogin(readExample('customers-from-list'), WITH_PEC), 'Columns', ({ parameters }) => {
		const { assignments } = parameters.assignments as { assignments: object[] };
		assignments.push({ id: 'pec', name: 'pec', value: 'PEC', type: 'string' });
	}),
];

/** The field of the form. */
const FILE = 'File with the customers';
const CONFIRMED = { 'Create them?': 'Yes, I have checked them' };

export function tests(fixture: () => ExamplesFixture): void {
	const { created, inject } = callsOf(fixture);
	const customers = () => fixture().sandbox.getRecordsAndCounters().customers;
	const names = () =>
		customers()
			.map(({ name }) => name)
			.sort();
	const requests = () => fixture().sandbox.getRecordsAndCounters().counters.requests;

	const upload = async (list: string | Buffer<ArrayBuffer>, ...next: Answers[]) =>
		await sendForm(
			`${fixture().server.url}/form/customers-from-list`,
			{ [FILE]: new File([list], 'list.csv') },
			...next,
		);

	/** A list is a file, or an object of JSON. */
	const post = async (list: object | string | Buffer<ArrayBuffer>, query = '') => {
		const isFile = typeof list === 'string' || Buffer.isBuffer(list);
		const form = new FormData();
		if (isFile) form.set('List', new File([list], 'list.csv'));
		const { status, body } = await callWebhook(
			`${fixture().server.url}/webhook/receive-customers${query}`,
			isFile ? form : list,
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
		expect(title).toBe('All customers are created: 3 created');
		expect(text).toMatch(/^Rows read: 3\nCreated: 3\nColumns that are not sent: PEC\n/);
		expect(customers().map((customer) => 'pec' in customer)).toEqual([false, false, false]);
	});

	test('says which column the list lacks', async () => {
		const list = new File(['P.IVA;Nome\n30000130150;Alfa\n'], 'list.csv');
		const { between } = await sendForm(`${fixture().server.url}/form/${WITH_PEC}`, { [FILE]: list }, CONFIRMED);
		expect(between[0]).toMatch(/All columns are sent\s+Columns that the list doesn't have: pec\s/);
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
		expect([title, names()]).toEqual([
			'Not all customers are created: 1 open, 5 refused, 2 created',
			['Alfa Srl', 'Beta,=2+2', 'Lost'],
		]);
		expect(text).toMatch(/^Rows read: 8\nOpen: 1\nRefused: 5\nCreated: 2\n/);
		for (const line of [
			/^Row 3: IT123, Too short\. .*11 digits/m,
			/^Row 6: 30000390150, =1\+1\. The name is "=1\+1", which isn't a value/m,
			/^Row 8: no number, No number\. The VAT number is missing/m,
			/^Row 9: 01200000014, 12\. "12" isn't a name/m,
		])
			expect(text).toMatch(line);
		expect(text).not.toContain('This item');
		expect(text).toContain('Answer in the form "Settle customers" (of');
		expect(text).toContain("upload the list again: those created already aren't created again\n");
		expect(file).toHaveLength(9);
		expect([file[0], file[4]]).toEqual([
			['Row', 'VAT number', 'Name', 'Result', 'Reason'],
			[6, '30000390150', '=1+1', 'refused', expect.stringContaining("which isn't a value")],
		]);
		expect(file).toContainEqual([10, '01200070017', 'Beta,=2+2', 'created', '']);
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
			{
				title: 'Nothing was sent',
				sums: { read: 3, refused: 3 },
			},
			0,
		]);
		expect((body.rows as Array<{ reason: string }>).map(({ reason }) => reason)).toEqual([
			'The same VAT number as row 2, with another name or other data. Decide which is right, and delete the other row.',
			expect.stringMatching(/^The same VAT number as row 1, with another name/),
			expect.stringMatching(/^The name is "=\{"first":"A"\}", which isn't a value/),
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
				title: 'Not all customers are created: 1 refused, 1 created',
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
			body: { stop: expect.stringMatching(/^The (?:file is empty, or there is none|list (?:is|has)) /) },
		});
		expect(requests()).toBe(0);
	});

	test.each(CLERK_LISTS)(
		'creates nobody with a wrong name or number: $what',
		async ({ list, stop, rows, facts = {} }) => {
			const before = await post(list);
			if (stop) return expect(before).toEqual({ status: 400, body: { stop: expect.stringMatching(stop) } });
			const sent = rows!.filter((row) => Array.isArray(row));
			const isRefused = rows!.every((row) => row === 'refused');
			const isAny = sent.length > 0 ? 'Not all customers are created: ' : 'No customer was created: ';
			const created = sent.length === rows!.length ? 'All customers are created: ' : isAny;
			expect((before.body.rows as Array<{ result: string }>).map(({ result }) => result)).toEqual(
				rows!.map((row) => (Array.isArray(row) ? 'would be created' : row)),
			);
			expect(before.body.list).toMatchObject(facts);
			const { body } = await post(list, '?create=true');
			expect(body.title).toMatch(new RegExp(`^${isRefused ? 'Nothing was sent$' : created}`));
			expect(customers().map(({ vatNumber, name }) => [vatNumber, name])).toEqual(sent);
		},
	);

	const LOOK_WRONG = 'Which of these are right, although they look wrong?';
	const LETTERS = 'Are the letters of these names right?';
	const YES = ['Yes, I have checked it'];

	test('asks for what is in doubt, says why, and creates only what is confirmed', async () => {
		const list = Buffer.from(
			'P.IVA;Nome\n31001070155;Societ\xe0 Alfa\n31001140156;Caff? Beta\n31001210157;Total\n31001280150;Delta Srl\n',
			'latin1',
		);
		const first = await upload(list, { ...CONFIRMED, [LOOK_WRONG]: ['Row 4: Total'] });
		expect(first.between[0]).toMatch(
			/To be confirmed: 3\s+Would be created: 1\s+All columns are sent\s+Number: from the column "P.IVA". Name: from the column "Nome"/,
		);
		expect(first.between[0]).toMatch(/Nome"\s+The file is not UTF-8. It was read with the letters of western Europe/);
		expect(first.between[0]).toMatch(
			/Row 2: .* Alfa\s+Row 3: .*may have been a letter: "Caff\? Beta"\. Export the list again as/,
		);
		expect(first.between[0]).toMatch(
			/can't be deleted or renamed here afterwards\. Creating them takes up to a minute\. If a page breaks, upload/,
		);
		expect(first.title).toBe('Not all customers are created: 2 not confirmed, 2 created');
		expect(first.text).toMatch(/\nNot created, because not confirmed: correct .*\nRow 2: .*Società Alfa\n/);
		expect(names()).toEqual(['Delta Srl', 'Total']);
		await upload(list, { ...CONFIRMED, [LETTERS]: YES });
		expect(names()).toEqual(['Delta Srl', 'Società Alfa', 'Total']);
		const nothing = await upload(list, CONFIRMED);
		expect([nothing.title, nothing.text]).toEqual([
			'No customer was created: 1 not confirmed, 3 existed already',
			expect.stringMatching(/^Rows read: 4\nNot created, because not confirmed: 1\nExisted already: 3\n/),
		]);
		await post(list, '?create=true&confirm=3');
		expect(names()).toEqual(['Caff? Beta', 'Delta Srl', 'Società Alfa', 'Total']);
	});

	test('says what is not checked or sent, which names were there before, and no full stop twice', async () => {
		const list = (name: string) =>
			`Country;VAT number;Name\nIT;31001070155;${name}\nDE;136695976;Beta GmbH\nIT;31001070155;${name}\nSI;10000074;Gamma d.o.o.\nHR;9464387620;Delta d.o.o.\n`;
		const first = await upload(list('Alfa Srl'), CONFIRMED);
		expect(first.between[0]).toMatch(
			/not sent: Country \(compared with the number; its letters .*\)\s[^]*Of numbers of other countries, only the format is checked\s/,
		);
		expect(first.between[0]).toMatch(/Delta d\.o\.o\. \S/);
		expect(first.between[0]).toContain('Row 3: DE136695976, Beta GmbH. In the list, it is "136695976".');
		expect(first.text).not.toContain('only the format is checked');
		expect(first.title).toBe('Not all customers are created: 1 refused, 3 created, 1 twice in this list');
		expect(first.text).toMatch(
			/\nTwice in this list\nRow 4: 31001070155, Alfa Srl\. Twice in this list: same as row 2\./,
		);
		const again = await upload(list('Alfa SpA').replace(/HR.*\n/, ''));
		expect(again.title).toMatch(/^No customer was created: 2 existed already, 2 .* other data$/);
		expect(again.text).toMatch(/Existed already with another name or other data: compare them\nRow 2: .*as "Alfa Srl"/);
		const { title } = await upload('VAT number;Name\n31001070155;Alfa Srl\n31001140156;Eta Srl\n', CONFIRMED);
		expect(title).toBe('All customers are created: 1 created, 1 existed already');
	});

	test('says how to save a list whose letters are damaged', async () => {
		const { between } = await upload('VAT number;Name\nIT31001070155;SocietÃ\u00a0 Alfa\n', CONFIRMED);
		expect(between[0]).toMatch(
			/The name has characters that were damaged, .*: "SocietÃ\s+Alfa"\. Open the list where its letters look right/,
		);
		expect(names()).toEqual([]);
	});

	test('asks whether a name that stands in many rows is that of the own company', async () => {
		const rows = ['31001070155', '31001140156', '31001210157'].map((number) => `${number};Own "A" & Co\n`).join('');
		const question =
			'All rows have the same name: "Own "A" & Co". Are these really your customers\' names, and not your own company\'s? If not, close this page, upload the list again, and enter the right header in "Column with the name".';
		await upload(`VAT number;Company\n${rows}`, { ...CONFIRMED, [question]: YES });
		expect(names()).toHaveLength(3);
	});

	test('says how many rows a filter hides, and which column is hidden', async () => {
		const rows = [
			['P.IVA', 'Nome'],
			['31001070155', 'Alfa'],
			['31001140156', 'Beta'],
		];
		const list = workbook([{ rows, hidden: { rows: [2], columns: [1] } }]);
		const { between, file } = await upload(list, CONFIRMED);
		expect(between[0]).toMatch(/Name: from the column "Nome", which is hidden\s+Hidden rows, .*: 1\s/);
		expect(file[2]).toEqual([
			...[3, '31001140156', 'Beta', 'not confirmed'],
			expect.stringMatching(/^Is the hidden column the right one\?.* Some rows are hidden, .*don't tick\.$/),
		]);
		expect(names()).toEqual([]);
	});

	test('says that it is not known what has become of customers if the workflow that creates them fails', async () => {
		const list = 'P.IVA;Nome\n31001070155;Alfa Srl\n';
		await publishWorkflow(fixture().server, 'createCustomersOnce', false);
		const { title, text } = await upload(list, CONFIRMED).finally(() =>
			publishWorkflow(fixture().server, 'createCustomersOnce'),
		);
		expect(title).toBe('Not all customers are created: 1 not known');
		expect(text).toMatch(
			/Not known: upload the list again [^]*\nRow 2: .* Alfa Srl\. The workflow "Create customers once" stopped/,
		);
		expect((await upload(list, CONFIRMED)).title).toBe('All customers are created: 1 created');
	});

	test('ends with a report also if nothing of a list is confirmed', async () => {
		expect(await upload('P.IVA;Nome\n31001070155;Caff? Beta\n', CONFIRMED)).toMatchObject({
			title: 'No customer was created: 1 not confirmed',
			text: expect.stringMatching(/^Rows read: 1\nNot created, because not confirmed: 1\n/),
		});
		expect(requests()).toBe(0);
	});

	test('takes the name from the column that is entered, and from no other', async () => {
		const list = 'Display Name,Company,VAT\nAlfa Srl,Own Srl,31001070155\nBeta Srl,Own Srl,31001140156\n';
		const uploadWith = async (column: string) =>
			await sendForm(
				`${fixture().server.url}/form/customers-from-list`,
				{ [FILE]: new File([list], 'list.csv'), 'Column with the name': column },
				CONFIRMED,
			);
		expect((await uploadWith('display name')).between[0]).toContain('Name: from the column "Display Name"');
		expect(names()).toEqual(['Alfa Srl', 'Beta Srl']);
		expect((await post(list, '?create=true&name=Ragione')).body).toEqual({
			stop: expect.stringMatching(/^The list has no column for the Ragione\./),
		});
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
		const good = checked.filter(({ result }) => result === 'would be created');
		const asked = checked.filter(({ result }) => result === 'asked');
		expect(asked.map(({ row }) => row)).toEqual(rowsThat('To be confirmed'));
		expect(good.map(({ row }) => row)).toEqual(
			[...rowsThat('Created'), ...rowsThat('Not created again')].sort((one, other) => one - other),
		);
		expect([...new Set(good.map(({ key }) => key))]).toEqual([
			'IT10203040505',
			'IT01020304059',
			'CHE102030405',
			'IT00102030400',
		]);
		expect(readme).toContain(
			`${checked.length} rows read, ${asked.length} to be confirmed, ${checked.length - good.length - asked.length} refused, ${good.length} would be created`,
		);
	});

	// By the block itself, which remembers.
	test('creates each customer of hard-cases.csv once, also when it is uploaded again', async () => {
		const list = readFileSync(path.join(ROOT, 'examples', 'hard-cases.csv'), 'utf8');
		const numbers = ['01020304059', 'CHE-102.030.405', 'IT00102030400', 'IT10203040505'];
		const first = await upload(list, CONFIRMED);
		expect(first.text).toMatch(
			/^Rows read: 22\nRefused: 15\nNot created, because not confirmed: 2\nCreated: 4\nTwice in this list: 1\n/,
		);
		const again = await upload(list, CONFIRMED);
		expect(again.text).toMatch(
			/^Rows read: 22\nRefused: 15\nNot created, because not confirmed: 2\nExisted already: 4\nTwice in this list: 1\n/,
		);
		expect(created()).toEqual(numbers);
	});

	test('sends nothing of a list that is not read, or of which no row is right, and says so', async () => {
		expect(await upload('P.IVA;City\nDE1;Roma\n')).toMatchObject({
			title: 'Nothing was sent',
			text: expect.stringContaining(
				'The list has no column for the name. Its headers are: "P.IVA", "City". Rename the header to "name", and upload the list again.',
			),
		});
		const { title, text } = await upload('P.IVA;Nome\nIT12345678901;Alfa\nDE1;Beta\n12345678901;Gamma\n');
		expect([title, text]).toEqual(['Nothing was sent', expect.stringMatching(/^Rows read: 3\nRefused: 3\n/)]);
		expect(text).toMatch(/Row 2: .*check digit .* is wrong\. Look for a mistyped digit$/m);
		// What to do, but for what only the workflow's owner can.
		expect(text).toMatch(/Row 3: .*DE and 9 digits\. Look for a missing, extra or mistyped character$/m);
		expect(text).toMatch(
			/Row 4: .* mistyped digit\. If it's another country's, put the two letters of the country before it$/m,
		);
		expect(requests()).toBe(0);
	});
}
