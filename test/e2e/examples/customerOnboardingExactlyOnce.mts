import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { FaultRule } from '../../../sandbox';
import { ROOT } from '../../../scripts/bootstrap/paths.mjs';
import { customersOf, readExample, withNode, withPostInPlaceOf } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';
import { csv, LIST_FILES, workbook } from './listFiles.mts';
import { sendForm, sendPages } from './n8nForm.mts';
import { until } from '../../support/until';

export const ID = 'customer-onboarding-exactly-once';

/** The same with a credential that n8n no longer has. */
const WITHOUT_CREDENTIAL = 'customer-onboarding-without-credential';

export const prepare: Prepare = async ({ people }) => {
	const example = withPostInPlaceOf(await readExample(ID), 'For a person', people.url);
	const without = withNode(example, 'Create the customers', (node) => {
		node.credentials = { voiceAdminApi: { id: 'deleted', name: 'A credential that was deleted' } };
	});
	return [example, { ...without, id: WITHOUT_CREDENTIAL }];
};

const CREATE = '/v1/customers/add';

/** Longer than any test: a customer that is created at once, and whose reply nobody gets. */
const NEVER_ANSWERED: FaultRule = { fault: 'latency', path: CREATE, ms: 600_000 };

const LOST_REPLY = { fault: 'resetAfter', path: CREATE, count: 1 } as const;
const REJECTED = { fault: 'http400', path: CREATE, count: 1 } as const;

/** The sums of a report's page, in the order in which a test names them. */
const SUMS = [
	'Rows read',
	'Created',
	'Skipped, created before',
	'Skipped, twice in this list',
	'Refused, not sent',
	'Failed, not created',
	'Open, a person has to decide',
];

const textFile = (content: string | Buffer<ArrayBuffer>) => new File([content], 'list.csv');

const QUOTATION_MARK = /^Row 2 has a quotation mark out of place/;

/** Lists of which nothing is sent, and what the page says of them. */
const BAD_LISTS: Array<[string, () => File, RegExp]> = [
	['with a quotation mark out of place', () => textFile('vatNumber,name\nDE1,"Rossi\nDE2,Bar "X"\n'), QUOTATION_MARK],
	['with a quotation mark that takes in rows', () => textFile('vatNumber,name\nDE1,"Rossi\nDE2,Bar\nDE3,Monitor 24"\n'), QUOTATION_MARK],
	[
		'without a column for the name',
		() => textFile('Partita IVA,City\nDE1,Roma\n'),
		/^The list has no column for the name\. Its headers are: "Partita IVA", "City"\./,
	],
	[
		'with two columns for the number',
		() => textFile('vatNumber,P.IVA,name\nDE1,DE2,X\n'),
		/^The list has more than one column for the VAT number: "vatNumber" and "P\.IVA"/,
	],
	[
		'with a column for the surname',
		() => textFile('vatNumber,Nome,Cognome\nDE1,Mario,Rossi\n'),
		/^The name is in more than one column: "Cognome"/,
	],
	[
		'with a letter that is not UTF-8 among others that are',
		() => textFile(Buffer.from('vatNumber,name\nDE1,T\xc3\xa8\nDE2,T\xe8\n', 'latin1')),
		/^Some of the file is UTF-8 and some is not/,
	],
	['without rows', () => textFile('vatNumber,name\n\n'), /^The list has no rows/],
	['that is empty', () => textFile(' \n'), /^The list is empty/],
	['that is a workbook with two sheets', () => workbook([['VAT']], [['VAT']]), /^The workbook has 2 sheets, some of which may be hidden/],
	['that is a workbook with an empty sheet', () => workbook([]), /^The list is empty/],
	['that is no list', () => textFile('%PDF-1.7\n\0\x01\x02 and so on'), /^The file is neither a CSV file nor an Excel workbook/],
];

export function tests(fixture: () => ExamplesFixture): void {
	/** The data table outlives a test, so each customer is in one test only. */
	let customers = 0;
	const newCustomers = (count: number) => Array.from({ length: count }, () => `DE${700_000_000 + customers++}`);
	const newItalian = () => {
		const digits = [...String(7_000_000_000 + customers++)].map(Number);
		const sum = digits.reduce((total, digit, index) => total + (index % 2 === 0 ? digit : Math.floor(digit / 5) + ((2 * digit) % 10)), 0);
		return digits.join('') + String((10 - (sum % 10)) % 10);
	};
	const created = () => fixture().sandbox.state().customers.map(({ vatNumber }) => vatNumber);
	const createdWithNames = () => fixture().sandbox.state().customers.map(({ vatNumber, name }) => [vatNumber, name]).sort();
	const inject = (...rules: FaultRule[]) => fixture().sandbox.setFaults({ rules });

	const post = async (body: object) => {
		const headers = { 'content-type': 'application/json' };
		return await fetch(`${fixture().server.url}/webhook/customers-exactly-once`, { method: 'POST', headers, body: JSON.stringify(body) });
	};

	const receive = async (vatNumbers: string[]) => {
		const response = await post(customersOf(vatNumbers));
		expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
	};

	/** Of this workflow, the newest first. */
	const executions = async () => {
		const filter = JSON.stringify({ workflowId: ID });
		return (await fixture().server.rest<{ results: Array<{ id: string; status: string }> }>('GET', `/executions?filter=${filter}`)).results;
	};

	/** Stops the execution that is running. */
	const stop = async () => {
		const { id } = (await executions()).find(({ status }) => status === 'running')!;
		await fixture().server.rest('POST', `/executions/${id}/stop`);
		return id;
	};

	/** What a person is told of these customers: their status by their VAT number. */
	const told = (vatNumbers: string[]) => {
		const rows = fixture().people.taken() as Array<{ vatNumber: string; status: string }>;
		const ofThese = rows.filter(({ vatNumber }) => vatNumbers.includes(vatNumber));
		return Object.fromEntries(ofThese.map(({ vatNumber, status }) => [vatNumber, status]));
	};
	const allAre = (status: string, vatNumbers: string[]) => Object.fromEntries(vatNumbers.map((vatNumber) => [vatNumber, status]));

	/** Uploads a list. @returns the page at the end, and its sums */
	const upload = async (file: File) => {
		const { title, text } = await sendForm(`${fixture().server.url}/form/upload-customers`, { Customers: file });
		return { title, text, sums: SUMS.map((name) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1])) };
	};

	const settle = async ({ exist = [], absent = [], others = 'Leave them open' }: { exist?: string[]; absent?: string[]; others?: string }) =>
		await sendPages(
			`${fixture().server.url}/form/settle-customers`,
			{ 'Your name': 'Somebody' },
			{ 'Numbers that exist': exist.join('\n'), "Numbers that don't exist": absent.join('; '), 'All others in the list': others },
		);

	test('creates each customer once, in batches of 10, and none when the list comes again', async () => {
		const list = newCustomers(25);
		await receive([...list, list[3]!.replace('DE', 'de ')]);
		expect(createdWithNames()).toEqual(list.map((vatNumber) => [vatNumber, `Company ${vatNumber}`]));
		await receive([...newCustomers(1), ...list]);
		expect(created()).toHaveLength(26);
		expect(told(list)).toEqual({});
	});

	test('takes a VAT number with and without IT, separators or the letters for VAT for the same', async () => {
		await receive(['IT12345678903', '12345678903', 'CHE-107.787.577 MWST', 'NO995525828MVA', 'DE-203.040.506']);
		await receive([' 123 456 78903 ', 'CHE107787577', 'NO 995 525 828', 'DE203040506']);
		expect(created().sort()).toEqual(['CHE107787577', 'DE203040506', 'IT12345678903', 'NO995525828']);
	});

	test.each(LIST_FILES)('creates the good rows of a file with $kind once, and says what became of each', async ({ header, of }) => {
		const [one, other, open] = newCustomers(3) as [string, string, string];
		const italian = newItalian();
		const list = of([
			['City', header('Partita IVA'), header('Ragione sociale')],
			['Roma', one, 'Società Forlì'],
			['', '', ''],
			['Roma', Number(italian), 'Rossi; Telefonia, "S.p.A."'],
			['Roma', other, 'Other'],
			['Roma', `IT${italian}`, 'Again'],
			['Roma', 'IT123', 'Too short'],
			['Roma', '', 'Without a number'],
			['Roma', 'DE999999999', ''],
			['Roma', open, 'Lost'],
		]);
		inject({ ...LOST_REPLY, bodyContains: open }, { ...REJECTED, bodyContains: other });
		const first = await upload(list);
		expect([first.title, first.sums]).toEqual(['Not all customers are created', [8, 2, 0, 1, 3, 1, 1]]);
		for (const line of [
			`Row 5: ${other}, Other\\. `,
			`Row 6: IT${italian}, Again\\. The same VAT number as row 4\\.$`,
			'Row 7: IT123, Too short\\. .*11 digits',
			'Row 8: no VAT number, Without a number\\. The VAT number is missing\\.$',
			'Row 9: DE999999999\\. The name is missing\\.$',
			`Row 10: ${open}, Lost\\. .*may already exist`,
		]) expect(first.text).toMatch(new RegExp(`^${line}`, 'm'));
		const stored = [[one, 'Società Forlì'], [open, 'Lost'], [`IT${italian}`, 'Rossi; Telefonia, "S.p.A."']].sort();
		expect(createdWithNames()).toEqual(stored);

		expect((await upload(list)).sums).toEqual([8, 1, 2, 1, 3, 0, 1]);
		expect((await upload(list)).sums).toEqual([8, 0, 3, 1, 3, 0, 1]);
		expect(createdWithNames()).toEqual([...stored, [other, 'Other']].sort());
	});

	test('does with each row of hard-cases.csv what README of the examples says', async () => {
		const read = async (name: string) => await readFile(path.join(ROOT, 'examples', name), 'utf8');
		const [content, readme] = [await read('hard-cases.csv'), await read('README.md')];
		const said = [...readme.matchAll(/^\| ([\d, ]+) \| [^|]+ \| (\w+)/gm)].flatMap(([, rows, what]) => {
			return rows!.split(', ').map((row) => ({ row: Number(row), what }));
		}).sort((one, other) => one.row - other.row);
		expect(said.map(({ row }) => row)).toEqual(content.trimEnd().split('\n').slice(1).map((_line, index) => index + 2));

		const rowsThatAre = (result: string) => said.filter(({ what }) => what === result).map(({ row }) => row);
		const [newOnes, skipped, refused] = [rowsThatAre('Created'), rowsThatAre('Skipped'), rowsThatAre('Refused')];
		const rows = newOnes.length + skipped.length + refused.length;
		const file = () => new File([content], 'hard-cases.csv');
		const { text, sums } = await upload(file());
		expect(sums).toEqual([rows, newOnes.length, 0, skipped.length, refused.length, 0, 0]);
		const listed = (heading: string) => {
			const part = text.split('\n\n').find((each) => each.startsWith(heading)) ?? '';
			return [...part.matchAll(/^Row (\d+):/gm)].map(([, row]) => Number(row));
		};
		expect([listed('Refused.'), listed('Skipped, twice')]).toEqual([refused, skipped]);
		expect(created().sort()).toEqual(['CHE102030405', 'DE102030405', 'IT00102030400', 'IT01020304059', 'IT10203040505']);
		expect((await upload(file())).sums).toEqual([rows, 0, newOnes.length, skipped.length, refused.length, 0, 0]);
	});

	const HEADERS = ['Partita IVA', 'P.IVA', 'P. IVA', 'VAT number', 'vat_number', 'vatNumber', 'VAT'];

	test.each(HEADERS)('finds the number under the header %s', async (header) => {
		const list = newCustomers(1);
		expect((await upload(textFile(csv([[header, 'Name'], [list[0]!, 'Example']])))).sums).toEqual([1, 1, 0, 0, 0, 0, 0]);
		expect(created()).toEqual(list);
	});

	test.each(BAD_LISTS)('sends nothing of a list %s', async (_what, file, says) => {
		const { title, text } = await upload(file());
		expect([title, text]).toEqual(['Nothing was sent', expect.stringMatching(says)]);
		expect(fixture().sandbox.state().counters.requests).toBe(0);
	});

	test('refuses what is no name, or whose characters were damaged, and a row with more cells than headers', async () => {
		const noNames = ['#N/D', '=A1', 'N/A', '45301', '-', 'Totale', '1,23E+05', 'Rossi &amp; Figli', '"Rossi\nSrl"', '\u200B'];
		const damaged = ['Societ\uFFFD', 'SocietÃ\u00A0', 'FÃ’ SRL', 'Lâ€™Aquila', 'Rossi\t Telefonia'];
		const rows = [...noNames, ...damaged].map((name) => `${newCustomers(1)[0]}\t${name}\n`);
		const { text, sums } = await upload(new File([`vatNumber\tname\n${rows.join('')}`], 'list.tsv'));
		expect(sums).toEqual([rows.length, 0, 0, 0, rows.length, 0, 0]);
		expect(text.match(/The name has characters that were damaged|The row has more cells/g)).toHaveLength(damaged.length);
		expect(created()).toEqual([]);
	});

	test('says which customer was created before with another name', async () => {
		const list = newCustomers(1);
		const fileWith = (name: string) => textFile(`vatNumber,name\n${list[0]},${name}\n`);
		expect((await upload(fileWith('Alfa Srl'))).text).toContain(`Created:\nRow 2: ${list[0]}, Alfa Srl`);
		const { title, text } = await upload(fileWith('Beta Spa'));
		expect(title).toBe('Not all customers are created');
		expect(text).toContain(`Row 2: ${list[0]}, Beta Spa. It was created with the name "Alfa Srl". Is the number right?`);
	});

	test('replies with the sums and the result of each row, also of rows with the same number, as those of two sheets have', async () => {
		const list = newCustomers(3);
		const rows = customersOf(['', ...list]).customers.map((customer, index) => ({ row_number: 2 + (index % 2), ...customer }));
		const [report] = (await (await post({ customers: rows })).json()) as object[];
		const sums = { read: 4, created: 3, known: 0, duplicates: 0, refused: 1, failed: 0, open: 0 };
		const refused = { row: 1, result: 'refused', reason: 'The VAT number is missing.' };
		const isCreated = { result: 'created', customerId: expect.stringMatching(/^\d+$/) as string };
		expect(report).toMatchObject({ ...sums, rows: [refused, ...list.map((vatNumber) => ({ vatNumber, ...isCreated }))] });
		expect(createdWithNames()).toEqual(list.map((vatNumber) => [vatNumber, `Company ${vatNumber}`]));
		expect(told([''])).toEqual({ '': 'refused' });
	});

	test('creates each customer once when overlapping lists come at once, also those that failed before', async () => {
		const list = newCustomers(30);
		inject({ ...REJECTED, count: 30 });
		await receive(list);
		expect(told(list)).toEqual(allAre('failed', list));
		await Promise.all([list, [...list].reverse(), list.slice(5, 25), list].map(receive));
		expect(created().sort()).toEqual(list);
		fixture().people.taken();
		await receive(list);
		expect(told(list)).toEqual({});
	});

	test('asks a person about a customer whose outcome is unknown, and does as the person decides', async () => {
		const list = newCustomers(12);
		const [exists, lost] = list as [string, string];
		inject({ ...LOST_REPLY, bodyContains: exists }, { ...LOST_REPLY, fault: 'resetBefore', bodyContains: lost });
		for (const _time of ['first', 'again']) {
			await receive(list);
			expect(told(list)).toEqual(allAre('unknown', [exists, lost]));
		}
		expect(created()).toHaveLength(11);

		const [{ title, text }, shown] = await settle({ exist: [exists.toLowerCase()], absent: [lost] });
		expect(shown).toContain(`${exists} Company ${exists}`);
		expect(title).toBe('Settled');
		expect(text).toContain(`never sent again (1)\n${exists}, Company ${exists}\n`);
		expect(text).toContain(`submit the list again that has them (1)\n${lost}, Company ${lost}\n`);
		await receive(list);
		expect(told(list)).toEqual({});
		expect(created().sort()).toEqual(list);
	});

	test('settles thirty at once, and tells apart the numbers that it does not settle', async () => {
		const list = newCustomers(30);
		const [early, done, never] = newCustomers(3) as [string, string, string];
		inject({ fault: 'htmlPage', path: CREATE, bodyContains: 'DE7', count: 30 });
		await receive(list);
		await receive([done]);
		inject(NEVER_ANSWERED);
		const sending = post(customersOf([early]));
		await until(() => created().includes(early), 'a customer is being sent');

		const exist = list.slice(0, 12);
		const [{ text }] = await settle({ exist: [...exist, 'IT123', never, early, done], others: "They don't exist: send them again" });
		await stop();
		await sending;
		const under = (heading: string) => {
			const [, lines = ''] = new RegExp(`^${heading}.* \\(\\d+\\)\\n((?:.+\\n?)*)`, 'm').exec(text) ?? [];
			return lines.trim().split('\n').map((line) => line.replace(/[,:].*$/, ''));
		};
		expect(under('Settled: they exist')).toEqual(exist);
		expect(under("Settled: they don't exist")).toEqual(expect.arrayContaining(list.slice(12)));
		expect(under('Not a VAT number')).toHaveLength(1);
		expect([under('Not in the ledger'), under('Too early'), under('Settled already')]).toEqual([[never], [early], [done]]);
		const [{ text: both }] = await settle({ exist: [exist[0]!], absent: [exist[0]!] });
		expect(both).toMatch(/^Entered both as existing and as not existing/);
	});

	const NO_LISTS = [{}, { customers: 'DE1' }, { customers: ['DE1'] }, { vatNumber: 'DE1' }];

	test.each(NO_LISTS)('fails on a request without a list of customers: %j', async (body) => {
		expect((await post(body)).status).toBe(500);
		expect(fixture().sandbox.state().counters.requests).toBe(0);
		const { id } = (await executions())[0]!;
		expect(JSON.stringify(await fixture().server.rest('GET', `/executions/${id}`))).toContain('The request has no list of customers.');
	});

	test('knows that nothing was sent of a batch whose node has no credential any more, and sends it when the list comes again', async () => {
		const list = newCustomers(2);
		await fixture().server.run(WITHOUT_CREDENTIAL, 'Receive customers', { body: customersOf(list) });
		expect(created()).toEqual([]);
		expect(told(list)).toEqual(allAre('failed', list));
		await receive(list);
		expect(created().sort()).toEqual(list);
	});

	test('creates no customer twice when an execution that was stopped is retried', async () => {
		const list = newCustomers(25);
		inject(NEVER_ANSWERED);
		const stopped = post(customersOf(list));
		await until(() => created().length === 10, 'the customers of a batch are created');
		const id = await stop();
		await stopped;
		inject();
		expect([(await executions())[0]!.status, created().length]).toEqual(['canceled', 10]);

		await fixture().server.rest('POST', `/executions/${id}/retry`, { loadWorkflow: false });
		expect(created().sort()).toEqual(list);
		const asked = told(list);
		expect(Object.values(asked)).toEqual(Array(10).fill('sending'));
		await receive(list);
		expect(told(list)).toEqual(asked);
		expect(created()).toHaveLength(list.length);
	});
}
