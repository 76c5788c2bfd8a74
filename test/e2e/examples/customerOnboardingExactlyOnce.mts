import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { FaultRule } from '../../../sandbox';
import { ROOT } from '../../../scripts/bootstrap/paths.mjs';
import { customersOf, readExample, withNode, withPostInPlaceOf } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';
import { LIST_FILES, workbook } from './listFiles.mts';
import { sendForm } from './n8nForm.mts';
import { until } from '../../support/until';

export const ID = 'customer-onboarding-exactly-once';

/** The same with a credential that n8n no longer has. */
const WITHOUT_CREDENTIAL = 'customer-onboarding-without-credential';

export const prepare: Prepare = async ({ people }) => {
	const example = withPostInPlaceOf(await readExample(ID), 'For a person', people.url);
	const credentials = { voiceAdminApi: { id: 'deleted', name: 'A credential that was deleted' } };
	return [example, withNode({ ...example, id: WITHOUT_CREDENTIAL }, 'Create the customers', (node) => Object.assign(node, { credentials }))];
};

const CREATE = '/v1/customers/add';
/** Not by a broken connection, which lowers how many requests may be in flight, for tests that follow too. */
const LOST_REPLY = { fault: 'http500', path: CREATE, processed: true, count: 1 } as const;
const REJECTED = { fault: 'http400', path: CREATE, count: 1 } as const;

/** Longer than any test: a customer that is created at once, and whose reply nobody gets. */
const NEVER_ANSWERED: FaultRule = { fault: 'latency', path: CREATE, ms: 600_000 };

const QUOTATION_MARK = 'Row 2 has a quotation mark out of place';

/** Lists of which nothing is sent, and how the page begins that says why. */
const BAD_LISTS: Array<[what: string, list: string | Buffer<ArrayBuffer> | File, says: string]> = [
	['has a quotation mark out of place', 'vatNumber,name\nDE1,"Rossi\nDE2,Bar "X"\n', QUOTATION_MARK],
	['has a quotation mark that takes in rows', 'vatNumber,name\nDE1,"Rossi\nDE2,Bar\nDE3,Monitor 24"\n', QUOTATION_MARK],
	['has no name', 'P.IVA,City\nDE1,Roma\n', 'The list has no column for the name. Its headers are: "P.IVA", "City".'],
	['has two numbers', 'VAT,P.IVA,name\nDE1,DE2,X\n', 'The list has more than one column for the VAT number: "VAT" and "P.IVA"'],
	['has a surname', 'VAT,Nome,Cognome\nDE1,Mario,Rossi\n', 'The name is in more than one column: "Cognome"'],
	['has two character sets', Buffer.from('VAT,name\nDE1,T\xc3\xa8\nDE2,T\xe8\n', 'latin1'), 'Some of the file is UTF-8 and some is not'],
	['has no rows', 'vatNumber,name\n\n', 'The list has no rows'],
	['is empty', ' \n', 'The list is empty'],
	['is a workbook with two sheets', workbook([['VAT']], [['VAT']]), 'The workbook has 2 sheets, some of which may be hidden'],
	['is a workbook with an empty sheet', workbook([]), 'The list is empty'],
	['is no list', '%PDF-1.7\n\0\x01\x02 and so on', 'The file is neither a CSV file nor an Excel workbook'],
];

/** So many VAT numbers. */
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `DE${700_000_000 + index}`);

export function tests(fixture: () => ExamplesFixture): void {
	const customers = () => fixture().sandbox.state().customers.map(({ vatNumber, name }) => [vatNumber, name] as [string, string]).sort();
	const created = () => customers().map(([vatNumber]) => vatNumber);
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

	/** Sends customers whose replies nobody gets, and stops the execution when so many are created. @returns its id */
	const sendAndStop = async (vatNumbers: string[], count: number, meanwhile?: () => Promise<void>) => {
		const before = created().length;
		inject(NEVER_ANSWERED);
		const sending = post(customersOf(vatNumbers));
		await until(() => created().length === before + count, 'customers are being sent');
		await meanwhile?.();
		const { id } = (await executions()).find(({ status }) => status === 'running')!;
		await fixture().server.rest('POST', `/executions/${id}/stop`);
		await sending;
		inject();
		return id;
	};

	/** What a person has been told: the status of customers by their VAT number. */
	const told = () => Object.fromEntries(fixture().people.taken().map(({ vatNumber, status }) => [vatNumber, status]));
	const allAre = (status: string, vatNumbers: string[]) => Object.fromEntries(vatNumbers.map((vatNumber) => [vatNumber, status]));

	/** Uploads a list. @returns the page at the end, and its sums: read, created, skipped (twice), refused, failed and open */
	const upload = async (list: string | Buffer<ArrayBuffer> | File) => {
		const Customers = list instanceof File ? list : new File([list], 'list.csv');
		const { title, text } = await sendForm(`${fixture().server.url}/form/upload-customers`, { Customers });
		return { title, text, sums: [...text.split('\n\n')[0]!.matchAll(/^[^:]+: (\d+)$/gm)].map(([, sum]) => Number(sum)) };
	};

	const settle = async (exist: string[], absent: string[], others = 'Leave them open') =>
		await sendForm(
			`${fixture().server.url}/form/settle-customers`,
			{ 'Your name': 'Somebody' },
			{ 'Numbers that exist': exist.join('\n'), "Numbers that don't exist": absent.join('; '), 'All others in the list': others },
		);

	test('creates each customer once when overlapping lists come at once, also after a failure, and none when one comes again', async () => {
		const list = numbers(30);
		inject({ ...REJECTED, count: 30 });
		await receive(list);
		expect(told()).toEqual(allAre('failed', list));
		await Promise.all([list, [...list].reverse(), list.slice(5, 25), [...list, list[3]!.replace('DE', 'de ')]].map(receive));
		fixture().people.taken();
		await receive(list);
		expect([created(), told()]).toEqual([list, {}]);
	});

	test('takes a VAT number with and without IT, separators or the letters for VAT for the same', async () => {
		await receive(['IT12345678903', '12345678903', 'CHE-107.787.577 MWST', 'NO995525828MVA', 'DE-203.040.506']);
		await receive([' 123 456 78903 ', 'CHE107787577', 'NO 995 525 828', 'DE203040506']);
		expect(created()).toEqual(['CHE107787577', 'DE203040506', 'IT12345678903', 'NO995525828']);
	});

	test.each(LIST_FILES)('creates the good rows of a file with $kind once, and says what became of each', async ({ header, of }) => {
		const [one, other, open] = numbers(3) as [string, string, string];
		const list = of([
			['City', header, 'Ragione sociale'],
			['Roma', one, 'Società Forlì'],
			['', '', ''],
			['Roma', 12345678903, 'Rossi; Telefonia, "S.p.A."'],
			['Roma', other, 'Other'],
			['Roma', 'IT12345678903', 'Again'],
			['Roma', 'IT123', 'Too short'],
			['Roma', '', 'Without a number'],
			['Roma', 'DE999999999', ''],
			['Roma', open, 'Lost'],
		]);
		inject({ ...LOST_REPLY, bodyContains: open }, { ...REJECTED, bodyContains: other });
		const { title, text, sums } = await upload(list);
		expect([title, sums]).toEqual(['Not all customers are created', [8, 2, 0, 1, 3, 1, 1]]);
		for (const line of [
			`Row 5: ${other}, Other\\. `,
			'Row 6: IT12345678903, Again\\. The same VAT number as row 4\\.$',
			'Row 7: IT123, Too short\\. .*11 digits',
			'Row 8: no VAT number, Without a number\\. The VAT number is missing\\.$',
			'Row 9: DE999999999\\. The name is missing\\.$',
			`Row 10: ${open}, Lost\\. .*may already exist`,
		]) expect(text).toMatch(new RegExp(`^${line}`, 'm'));
		expect((await upload(list)).sums).toEqual([8, 1, 2, 1, 3, 0, 1]);
		const named = [[one, 'Società Forlì'], [other, 'Other'], [open, 'Lost'], ['IT12345678903', 'Rossi; Telefonia, "S.p.A."']];
		expect(customers()).toEqual(named);
	});

	test('does with each row of hard-cases.csv what README of the examples says', async () => {
		const read = async (name: string) => await readFile(path.join(ROOT, 'examples', name), 'utf8');
		const [content, readme] = [await read('hard-cases.csv'), await read('README.md')];
		const rowsOf = (table: string, row: RegExp) =>
			[...table.matchAll(row)].flatMap(([, rows]) => rows!.split(', ').map(Number)).sort((one, other) => one - other);
		const rowsThat = (are: string) => rowsOf(readme, new RegExp(`^\\| ([\\d, ]+) \\| [^|]+ \\| ${are}`, 'gm'));
		expect(rowsThat('')).toEqual(content.trimEnd().split('\n').slice(1).map((_line, index) => index + 2));
		const [news, skipped, refused] = [rowsThat('Created').length, rowsThat('Skipped'), rowsThat('Refused')];
		const rows = news + skipped.length + refused.length;
		const { text, sums } = await upload(content);
		expect(sums).toEqual([rows, news, 0, skipped.length, refused.length, 0, 0]);
		const listed = (heading: string) => rowsOf(text.split('\n\n').find((part) => part.startsWith(heading))!, /^Row (\d+):/gm);
		expect([listed('Refused.'), listed('Skipped, twice')]).toEqual([refused, skipped]);
		expect(created()).toEqual(['CHE102030405', 'DE102030405', 'IT00102030400', 'IT01020304059', 'IT10203040505']);
		expect((await upload(content)).sums).toEqual([rows, 0, news, skipped.length, refused.length, 0, 0]);
	});

	test.each(BAD_LISTS)('sends nothing of a list that %s, and says so', async (_what, list, says) => {
		expect(await upload(list)).toMatchObject({ title: 'Nothing was sent', text: expect.stringContaining(says) });
		expect(fixture().sandbox.state().counters.requests).toBe(0);
	});

	test('refuses what is no name, or whose characters were damaged, and a row with more cells than headers', async () => {
		const noNames = ['#N/D', '=A1', 'N/A', '45301', '-', 'Totale', '1,23E+05', 'Rossi &amp; Figli', '"Rossi\nSrl"', '\u200B'];
		const damaged = ['Societ\uFFFD', 'SocietÃ\u00A0', 'FÃ’ SRL', 'Lâ€™Aquila', 'Rossi\t Telefonia'];
		const rows = [...noNames, ...damaged].map((name, index) => `DE70000000${index}\t${name}\n`);
		const { text, sums } = await upload(`vatNumber\tname\n${rows.join('')}`);
		expect([sums, created()]).toEqual([[rows.length, 0, 0, 0, rows.length, 0, 0], []]);
		expect(text.match(/The name has characters that were damaged|The row has more cells/g)).toHaveLength(damaged.length);
	});

	test('says which customer was created before with another name', async () => {
		expect((await upload('VAT,name\nDE1234567,Alfa Srl\n')).text).toContain('Created:\nRow 2: DE1234567, Alfa Srl');
		const text = 'Row 2: DE1234567, Beta Spa. It was created with the name "Alfa Srl". Is the number right?';
		const page = { title: 'Not all customers are created', text: expect.stringContaining(text) as string };
		expect(await upload('VAT,name\nDE1234567,Beta Spa\n')).toMatchObject(page);
	});

	test('replies with the sums and the result of each row, also of rows with the same number, as those of two sheets have', async () => {
		const list = numbers(3);
		const rows = customersOf(['', ...list]).customers.map((customer, index) => ({ row_number: 2 + (index % 2), ...customer }));
		const [report] = (await (await post({ customers: rows })).json()) as object[];
		const sums = { read: 4, created: 3, known: 0, duplicates: 0, refused: 1, failed: 0, open: 0 };
		const refused = { row: 1, result: 'refused', reason: 'The VAT number is missing.' };
		const isCreated = { result: 'created', customerId: expect.stringMatching(/^\d+$/) as string };
		expect(report).toMatchObject({ ...sums, rows: [refused, ...list.map((vatNumber) => ({ vatNumber, ...isCreated }))] });
		expect(customers()).toEqual(list.map((vatNumber) => [vatNumber, `Company ${vatNumber}`]));
		expect(told()).toEqual({ '': 'refused' });
	});

	test('asks a person about customers whose outcome is unknown, does as the person decides, and tells what it does not settle', async () => {
		const list = numbers(30);
		const [exists, absent] = list as [string, string];
		const [done, early, never] = ['DE800000001', 'DE800000002', 'DE800000003'];
		inject({ ...LOST_REPLY, bodyContains: exists }, { fault: 'http500', path: CREATE, bodyContains: 'DE7', count: 29 });
		for (const _time of ['first', 'again']) {
			await receive(list);
			expect(told()).toEqual(allAre('unknown', list));
		}
		await receive([done]);
		await sendAndStop([early], 1, async () => {
			const entered = [exists.toLowerCase(), 'IT123', never, early, done];
			const { title, text, between } = await settle(entered, [absent], "They don't exist: send them again");
			expect([title, ...between]).toEqual(['Settled', expect.stringContaining(`${exists} Company ${exists}`)]);
			const under = (heading: string) => {
				const [, lines = ''] = new RegExp(`^${heading}.* \\(\\d+\\)\\n((?:.+\\n?)*)`, 'm').exec(text) ?? [];
				return lines.trim().split('\n').map((line) => line.replace(/[,:].*$/, ''));
			};
			expect([under('Settled: they exist'), under("Settled: they don't exist").sort()]).toEqual([[exists], list.slice(1)]);
			expect([under('Not in the ledger'), under('Too early'), under('Settled already')]).toEqual([[never], [early], [done]]);
			expect(under('Not a VAT number')).toHaveLength(1);
		});
		expect((await settle([exists], [exists])).text).toMatch(/^Entered both as existing and as not existing/);
		fixture().people.taken();
		await receive(list);
		expect([created(), told()]).toEqual([[...list, done, early], { [early]: 'sending' }]);
	});

	const NO_LISTS = [{}, { customers: 'DE1' }, { customers: ['DE1'] }, { vatNumber: 'DE1' }];

	test.each(NO_LISTS)('fails on a request without a list of customers: %j', async (body) => {
		expect((await post(body)).status).toBe(500);
		expect(fixture().sandbox.state().counters.requests).toBe(0);
		const { id } = (await executions())[0]!;
		expect(JSON.stringify(await fixture().server.rest('GET', `/executions/${id}`))).toContain('The request has no list of customers.');
	});

	test('knows that nothing was sent of a batch whose node has no credential any more, and sends it when the list comes again', async () => {
		const list = numbers(2);
		await fixture().server.run(WITHOUT_CREDENTIAL, 'Receive customers', { body: customersOf(list) });
		expect([created(), told()]).toEqual([[], allAre('failed', list)]);
		await receive(list);
		expect(created()).toEqual(list);
	});

	test('creates no customer twice when an execution that was stopped is retried', async () => {
		const list = numbers(25);
		const id = await sendAndStop(list, 10);
		expect([(await executions())[0]!.status, created().length]).toEqual(['canceled', 10]);
		await fixture().server.rest('POST', `/executions/${id}/retry`, { loadWorkflow: false });
		const asked = told();
		expect([created(), Object.values(asked)]).toEqual([list, Array(10).fill('sending')]);
		await receive(list);
		expect([told(), created()]).toEqual([asked, list]);
	});
}
