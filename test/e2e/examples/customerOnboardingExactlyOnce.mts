import { readFile } from 'node:fs/promises';
import path from 'node:path';

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

export function tests(fixture: () => ExamplesFixture): void {
	/** The data table outlives a test, so each customer is in one test only. */
	let customers = 0;
	const newCustomers = (count: number) => Array.from({ length: count }, () => `DE${700_000_000 + customers++}`);
	const newItalian = () => {
		const digits = String(7_000_000_000 + customers++);
		const sum = [...digits].reduce((total, digit, index) => total + (index % 2 === 0 ? Number(digit) : [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][Number(digit)]!), 0);
		return digits + String((10 - (sum % 10)) % 10);
	};
	const created = () => fixture().sandbox.state().customers.map(({ vatNumber }) => vatNumber);

	const post = async (body: object) =>
		await fetch(`${fixture().server.url}/webhook/customers-exactly-once`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

	const receive = async (vatNumbers: string[]) => {
		const response = await post(customersOf(vatNumbers));
		expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
	};

	type Executions = [{ id: string; status: string }];

	/** Of this workflow, the newest first. */
	const executions = async () =>
		(await fixture().server.rest<{ results: Executions }>('GET', `/executions?filter=${JSON.stringify({ workflowId: ID })}`)).results;

	/** What a person is told of these customers: their status by their VAT number. */
	const told = (vatNumbers: string[]) => {
		const rows = fixture().people.taken() as Array<{ vatNumber: string; status: string }>;
		return Object.fromEntries(rows.filter(({ vatNumber }) => vatNumbers.includes(vatNumber)).map(({ vatNumber, status }) => [vatNumber, status]));
	};

	const upload = async (file: File) => await sendForm(`${fixture().server.url}/form/upload-customers`, { Customers: file });

	/** Of a report's page: the numbers of its sums, in their order. */
	const sumsOf = (text: string) => ['Rows read', 'Created', 'Skipped, created before', 'Skipped, twice in this list', 'Refused, not sent', 'Failed, not created', 'Open, a person has to decide'].map((name) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1]));

	const settle = async (answers: { exist?: string[]; absent?: string[]; others?: string }) =>
		await sendPages(
			`${fixture().server.url}/form/settle-customers`,
			{ 'Your name': 'Somebody' },
			{ 'Numbers that exist': (answers.exist ?? []).join('\n'), "Numbers that don't exist": (answers.absent ?? []).join('; '), 'All others in the list': answers.others ?? 'Leave them open' },
		);

	test('creates each customer once, in batches of 10, and none when the list comes again', async () => {
		const list = newCustomers(25);
		await receive([...list, list[3]!.replace('DE', 'de ')]);
		expect(created().sort()).toEqual(list);
		expect(fixture().sandbox.state().customers).toContainEqual(expect.objectContaining({ vatNumber: list[0], name: `Company ${list[0]}` }));
		await receive([...newCustomers(1), ...list]);
		expect(created()).toHaveLength(26);
		expect(told(list)).toEqual({});
	});

	test('takes an Italian VAT number with and without IT for the same, and others with and without separators or the letters for VAT', async () => {
		await receive(['IT12345678903', '12345678903', 'CHE-107.787.577 MWST', 'NO995525828MVA', 'DE-203.040.506']);
		await receive([' 123 456 78903 ', 'CHE107787577', 'NO 995 525 828', 'DE203040506']);
		expect(created().sort()).toEqual(['CHE107787577', 'DE203040506', 'IT12345678903', 'NO995525828']);
	});

	describe.each(LIST_FILES)('of a file with $kind', ({ header, of }) => {
		test('creates the good rows, says what became of each, and creates nothing when the file comes again', async () => {
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
			fixture().sandbox.setFaults({ rules: [{ fault: 'resetAfter', path: CREATE, bodyContains: open, count: 1 }, { fault: 'http400', path: CREATE, bodyContains: other, count: 1 }] });
			const first = await upload(list);
			expect(sumsOf(first.text)).toEqual([8, 2, 0, 1, 3, 1, 1]);
			expect(first.title).toBe('Not all customers are created');
			for (const line of [/^Row 7: IT123, Too short\. .*11 digits/m, /^Row 8: no VAT number, Without a number\. The VAT number is missing\.$/m, /^Row 9: DE999999999\. The name is missing\.$/m, new RegExp(`^Row 5: ${other}, Other\\. `, 'm'), new RegExp(`^Row 10: ${open}, Lost\\. .*may already exist`, 'm'), new RegExp(`^Row 6: IT${italian}, Again\\. The same VAT number as row 4\\.$`, 'm')]) expect(first.text).toMatch(line);
			const customers = () => fixture().sandbox.state().customers.map(({ vatNumber, name }) => [vatNumber, name]).sort();
			const stored = [[one, 'Società Forlì'], [open, 'Lost'], [`IT${italian}`, 'Rossi; Telefonia, "S.p.A."']].sort();
			expect(customers()).toEqual(stored);

			expect(sumsOf((await upload(list)).text)).toEqual([8, 1, 2, 1, 3, 0, 1]);
			expect(sumsOf((await upload(list)).text)).toEqual([8, 0, 3, 1, 3, 0, 1]);
			expect(customers()).toEqual([...stored, [other, 'Other']].sort());
		});

		test('stops before the first customer when a column is missing, and names it', async () => {
			const { title, text } = await upload(of([['Partita IVA', 'City'], [newCustomers(1)[0]!, 'Roma']]));
			expect([title, text]).toEqual(['Nothing was sent', expect.stringMatching(/^The list has no column for the name\. Its headers are: "Partita IVA", "City"\./)]);
			expect(fixture().sandbox.state().counters.requests).toBe(0);
		});
	});

	test('does with each row of hard-cases.csv what README of the examples says', async () => {
		const [content, readme] = await Promise.all(['hard-cases.csv', 'README.md'].map(async (name) => await readFile(path.join(ROOT, 'examples', name), 'utf8')));
		const said = [...readme!.matchAll(/^\| ([\d, ]+) \| [^|]+ \| (\w+)/gm)].flatMap(([, rows, what]) => rows!.split(', ').map((row) => ({ row: Number(row), what })));
		const rowsThatAre = (result: string) => said.filter(({ what }) => what === result).map(({ row }) => row);
		expect(said.map(({ row }) => row).sort((a, b) => a - b)).toEqual(content!.trimEnd().split('\n').slice(1).map((_line, index) => index + 2));

		const [newOnes, skipped, refused] = ['Created', 'Skipped', 'Refused'].map(rowsThatAre) as [number[], number[], number[]];
		const rows = newOnes.length + skipped.length + refused.length;
		const { text } = await upload(new File([content!], 'hard-cases.csv'));
		expect(sumsOf(text)).toEqual([rows, newOnes.length, 0, skipped.length, refused.length, 0, 0]);
		const listed = (heading: string) => [...(text.split('\n\n').find((part) => part.startsWith(heading)) ?? '').matchAll(/^Row (\d+):/gm)].map(([, row]) => Number(row));
		expect(listed('Refused.')).toEqual(refused.sort((a, b) => a - b));
		expect(listed('Skipped, twice')).toEqual(skipped);
		expect(created().sort()).toEqual(['CHE102030405', 'DE102030405', 'IT00102030400', 'IT01020304059', 'IT10203040505']);
		expect(sumsOf((await upload(new File([content!], 'hard-cases.csv'))).text)).toEqual([rows, 0, newOnes.length, skipped.length, refused.length, 0, 0]);
	});

	test.each(['Partita IVA', 'P.IVA', 'P. IVA', 'VAT number', 'vat_number', 'vatNumber', 'VAT'])('finds the number under the header %s', async (header) => {
		const list = newCustomers(1);
		expect(sumsOf((await upload(new File([csv([[header, 'Name'], [list[0]!, 'Example']])], 'list.csv'))).text)).toEqual([1, 1, 0, 0, 0, 0, 0]);
		expect(created()).toEqual(list);
	});

	test.each([
		['with a quotation mark out of place', 'vatNumber,name\nDE1,"Rossi\nDE2,Bar "X"\n', /^Row 2 has a quotation mark out of place/],
		['with two columns for the number', 'vatNumber,P.IVA,name\nDE1,DE2,X\n', /^The list has more than one column for the VAT number: "vatNumber" and "P\.IVA"/],
		['without rows', 'vatNumber,name\n\n', /^The list has no rows/],
		['that is empty', ' \n', /^The list is empty/],
		['with a quotation mark that takes in the rows after it', 'vatNumber,name\nDE1,"Rossi\nDE2,Bar\nDE3,Monitor 24"\n', /^Row 2 has a quotation mark out of place/],
		['with a letter that is not UTF-8 among others that are', Buffer.from('vatNumber,name\nDE1,T\xc3\xa8\nDE2,T\xe8\n', 'latin1'), /^Some of the file is UTF-8 and some is not/],
		['with a column for the surname', 'vatNumber,Nome,Cognome\nDE1,Mario,Rossi\n', /^The name is in more than one column: "Cognome"/],
		['that is no list', '%PDF-1.7\n\0\x01\x02 and so on', /^The file is neither a CSV file nor an Excel workbook/],
	])('sends nothing of a file %s', async (_what, content, says) => {
		const { title, text } = await upload(new File([content], 'list.csv'));
		expect([title, text]).toEqual(['Nothing was sent', expect.stringMatching(says)]);
		expect(fixture().sandbox.state().counters.requests).toBe(0);
	});

	test('sends nothing of a workbook with two sheets, or with an empty one', async () => {
		const sheet = [['VAT number', 'name'], [newCustomers(1)[0]!, 'Example']];
		const pages = [await upload(workbook(sheet, sheet)), await upload(workbook([]))];
		expect(pages.map(({ title }) => title)).toEqual(['Nothing was sent', 'Nothing was sent']);
		expect(pages.map(({ text }) => text)).toEqual([expect.stringMatching(/^The workbook has 2 sheets, some of which may be hidden/), expect.stringMatching(/^The list is empty/)]);
		expect(created()).toEqual([]);
	});

	test('refuses what is no name, or whose characters were damaged, and a row with more cells than headers', async () => {
		const noNames = ['#N/D', '=A1', 'N/A', '45301', '-', 'Totale', '1,23E+05', 'Rossi &amp; Figli', '"Rossi\nSrl"', '\u200B'];
		const damaged = ['Societ\uFFFD', 'SocietÃ\u00A0', 'FÃ’ SRL', 'Lâ€™Aquila', 'Rossi\t Telefonia'];
		const names = [...noNames, ...damaged];
		const list = newCustomers(names.length);
		const { text } = await upload(new File([`vatNumber\tname\n${list.map((vatNumber, index) => `${vatNumber}\t${names[index]}\n`).join('')}`], 'list.tsv'));
		expect(sumsOf(text)).toEqual([names.length, 0, 0, 0, names.length, 0, 0]);
		expect(text.match(/The name has characters that were damaged|The row has more cells/g)).toHaveLength(damaged.length);
		expect(created()).toEqual([]);
	});

	test('keeps rows apart that have the same number, as those of two sheets have', async () => {
		const list = newCustomers(3);
		const customers = list.map((vatNumber, index) => ({ row_number: 2 + (index % 2), vatNumber, name: `Company ${vatNumber}` }));
		const [report] = (await (await post({ customers })).json()) as Array<{ created: number }>;
		expect(report?.created).toBe(3);
		expect(fixture().sandbox.state().customers.map(({ vatNumber, name }) => [vatNumber, name]).sort()).toEqual(list.map((vatNumber) => [vatNumber, `Company ${vatNumber}`]));
	});

	test('says which customer was created before with another name', async () => {
		const list = newCustomers(1);
		const fileWith = (name: string) => new File([`vatNumber,name\n${list[0]},${name}\n`], 'list.csv');
		const first = await upload(fileWith('Alfa Srl'));
		expect(first.text).toContain(`Created:\nRow 2: ${list[0]}, Alfa Srl`);
		const { title, text } = await upload(fileWith('Beta Spa'));
		expect(title).toBe('Not all customers are created');
		expect(text).toContain(`Row 2: ${list[0]}, Beta Spa. It was created with the name "Alfa Srl". Is the number right?`);
	});

	test('replies with the sums and the result of each row', async () => {
		const list = newCustomers(2);
		const response = await post(customersOf(['', ...list]));
		expect(await response.json()).toEqual([
			expect.objectContaining({ read: 3, created: 2, known: 0, duplicates: 0, refused: 1, failed: 0, open: 0, rows: [
				expect.objectContaining({ row: 1, result: 'refused', reason: 'The VAT number is missing.' }),
				...list.map((vatNumber) => expect.objectContaining({ vatNumber, result: 'created', customerId: expect.stringMatching(/^\d+$/) }) as object),
			] }),
		]);
		expect(created().sort()).toEqual(list);
		expect(told([''])).toEqual({ '': 'refused' });
	});

	test('creates each customer once when overlapping lists come at once', async () => {
		const list = newCustomers(30);
		await Promise.all([list, [...list].reverse(), list.slice(5, 25), list].map(receive));
		expect(created().sort()).toEqual(list);
		fixture().people.taken();
		await receive(list);
		expect(told(list)).toEqual({});
	});

	test('creates each customer once when overlapping lists come at once, also those that failed before', async () => {
		const list = newCustomers(30);
		fixture().sandbox.setFaults({ rules: [{ fault: 'http400', path: CREATE, count: 30 }] });
		await receive(list);
		expect(told(list)).toEqual(Object.fromEntries(list.map((vatNumber) => [vatNumber, 'failed'])));
		await Promise.all([list, [...list].reverse(), list].map(receive));
		expect(created().sort()).toEqual(list);
	});

	test('asks a person about a customer whose outcome is unknown, and does as the person decides', async () => {
		const list = newCustomers(12);
		const [exists, lost] = list as [string, string];
		fixture().sandbox.setFaults({ rules: [{ fault: 'resetAfter', path: CREATE, bodyContains: exists, count: 1 }, { fault: 'resetBefore', path: CREATE, bodyContains: lost, count: 1 }] });
		const asked = { [exists]: 'unknown', [lost]: 'unknown' };
		await receive(list);
		expect(told(list)).toEqual(asked);
		await receive(list);
		expect(told(list)).toEqual(asked);
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
		fixture().sandbox.setFaults({ rules: [{ fault: 'htmlPage', path: CREATE, bodyContains: 'DE7', count: 30 }] });
		await receive(list);
		await receive([done]);
		fixture().sandbox.setFaults({ rules: [{ fault: 'latency', path: CREATE, ms: 5_000 }] });
		const sending = receive([early]);
		await until(() => created().includes(early), 'a customer is being sent');

		const exist = list.slice(0, 12);
		const [{ text }] = await settle({ exist: [...exist, 'IT123', never, early, done], others: "They don't exist: send them again" });
		await sending;
		const under = (heading: string) => new RegExp(`^${heading}.* \\(\\d+\\)\\n((?:.+\\n?)*)`, 'm').exec(text)?.[1]?.trim().split('\n').map((line) => line.replace(/[,:].*$/, ''));
		expect(under('Settled: they exist')).toEqual(exist);
		expect(under("Settled: they don't exist")).toEqual(expect.arrayContaining(list.slice(12)));
		expect([under('Not a VAT number')?.length, under('Not in the ledger'), under('Too early'), under('Settled already')]).toEqual([1, [never], [early], [done]]);
		expect((await settle({ exist: [exist[0]!], absent: [exist[0]!] }))[0].text).toMatch(/^Entered both as existing and as not existing/);
	});

	test.each([[{}], [{ customers: 'DE1' }], [{ customers: ['DE1'] }], [{ vatNumber: 'DE1' }]])('fails on a request without a list of customers: %j', async (body) => {
		expect((await post(body)).status).toBe(500);
		expect(fixture().sandbox.state().counters.requests).toBe(0);
		const [{ id }] = await executions();
		expect(JSON.stringify(await fixture().server.rest('GET', `/executions/${id}`))).toContain('The request has no list of customers.');
	});

	test('knows that nothing was sent of a batch whose node has no credential any more, and sends it when the list comes again', async () => {
		const list = newCustomers(2);
		await fixture().server.run(WITHOUT_CREDENTIAL, 'Receive customers', { body: customersOf(list) });
		expect(created()).toEqual([]);
		expect(told(list)).toEqual(Object.fromEntries(list.map((vatNumber) => [vatNumber, 'failed'])));
		await receive(list);
		expect(created().sort()).toEqual(list);
	});

	test('creates no customer twice when an execution that was stopped is retried', async () => {
		const list = newCustomers(25);
		// Stored at once, and answered when the execution has long been stopped.
		fixture().sandbox.setFaults({ rules: [{ fault: 'latency', path: CREATE, ms: 30_000 }] });
		const stopped = post(customersOf(list));
		await until(() => created().length === 10, 'the customers of a batch are created');
		const [{ id }] = await executions();
		const { rest } = fixture().server;
		await rest('POST', `/executions/${id}/stop`);
		await stopped;
		fixture().sandbox.setFaults({});
		const [{ status }] = await executions();
		expect([status, created().length]).toEqual(['canceled', 10]);

		await rest('POST', `/executions/${id}/retry`, { loadWorkflow: false });
		expect(created().sort()).toEqual(list);
		const asked = told(list);
		expect(Object.values(asked)).toEqual(Array(10).fill('sending'));
		await receive(list);
		expect(told(list)).toEqual(asked);
		expect(created()).toHaveLength(list.length);
	});
}
