import { customersOf, readExample, withNode, withPostInPlaceOf } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';
import { sendForm } from './n8nForm.mts';
import { until } from '../../support/until';

export const ID = 'customer-onboarding-exactly-once';

/** The same with a credential that n8n no longer has. */
const WITHOUT_CREDENTIAL = 'customer-onboarding-without-credential';

export const prepare: Prepare = async ({ people }) => {
	const example = withPostInPlaceOf(await readExample(ID), 'For a person', people.url);
	const without = withNode(example, 'Add the customers', (node) => {
		node.credentials = { voiceAdminApi: { id: 'deleted', name: 'A credential that was deleted' } };
	});
	return [example, { ...without, id: WITHOUT_CREDENTIAL }];
};

const CREATE = '/v1/customers/add';

export function tests(fixture: () => ExamplesFixture): void {
	/** The data table outlives a test, so each customer is in one test only. */
	let customers = 0;
	const newCustomers = (count: number) => Array.from({ length: count }, () => `DE${700_000_000 + customers++}`);
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

	const settle = async (vatNumber: string, found: 'It exists: never send it again' | 'It does not exist: send it again') =>
		await sendForm(`${fixture().server.url}/form/settle-a-customer`, { 'VAT number': vatNumber, 'In the records': found });

	test('creates each customer once, in batches of 10, and none when the list comes again', async () => {
		const list = newCustomers(25);
		await receive([...list, list[3]!.replace('DE', 'de ')]);
		expect(created().sort()).toEqual(list);
		expect(fixture().sandbox.state().customers).toContainEqual(expect.objectContaining({ vatNumber: list[0], name: `Company ${list[0]}` }));
		await receive([...newCustomers(1), ...list]);
		expect(created()).toHaveLength(26);
		expect(told(list)).toEqual({});
	});

	test('takes an Italian VAT number with and without IT for the same', async () => {
		await receive(['IT12345678903', '12345678903']);
		await receive([' 123 456 78903 ']);
		expect(created()).toEqual(['IT12345678903']);
	});

	test('takes a CSV file, also one that begins with a byte-order mark', async () => {
		const [one, other] = newCustomers(2) as [string, string];
		const body = new FormData();
		body.set('field-0', new Blob([`\uFEFFvatNumber,name\n${one},"Rossi, Telefonia"\n${other},Other\n${one},Again\n`], { type: 'text/csv' }), 'customers.csv');
		const response = await fetch(`${fixture().server.url}/form/upload-customers`, { method: 'POST', body });
		expect(response.status).toBe(200);
		await until(() => created().length === 2, 'both customers are created');
		expect(fixture().sandbox.state().customers).toEqual(expect.arrayContaining([
			expect.objectContaining({ vatNumber: one, name: 'Rossi, Telefonia' }),
			expect.objectContaining({ vatNumber: other, name: 'Other' }),
		]));
	});

	test('reports a row without a VAT number, and creates the others', async () => {
		const list = newCustomers(2);
		await receive(['', ...list]);
		expect(created().sort()).toEqual(list);
		expect(told([''])).toEqual({ '': 'failed' });
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

	test('sends a customer that was not created again, when the list comes again', async () => {
		const list = newCustomers(12);
		fixture().sandbox.setFaults({ rules: [{ fault: 'http400', path: CREATE, bodyContains: list[4], count: 1 }] });
		await receive(list);
		expect(told(list)).toEqual({ [list[4]!]: 'failed' });
		await receive(list);
		expect(told(list)).toEqual({});
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

		expect(await settle(exists.toLowerCase(), 'It exists: never send it again')).toEqual({ title: 'Settled', text: `${exists} is now created.` });
		expect(await settle(lost, 'It does not exist: send it again')).toEqual({ title: 'Settled', text: `${lost} is now failed.` });
		expect((await settle(list[2]!, 'It does not exist: send it again')).title).toBe('Nothing to settle');
		await receive(list);
		expect(told(list)).toEqual({});
		expect(created().sort()).toEqual(list);
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
