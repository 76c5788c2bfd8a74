import type { IDataObject } from 'n8n-workflow';

import type { FaultRule } from '../../../sandbox';
import { callerOf, customersOf, readExample } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';
import { callWebhook } from '../../support/n8n/workflow.mts';
import { until } from '../../support/until';

const ID = 'createCustomersOnce';
const CALLER = 'caller';

export const IDS = [ID, CALLER];

export const prepare: Prepare = async () => [readExample('create-customers-once'), callerOf(ID, CALLER)];

export const CREATE = '/v1/customers/add';
/** Not by a broken connection, which lowers how many requests may be in flight, for tests that follow too. */
export const LOST_REPLY = { fault: 'http', status: 500, path: CREATE, processed: true, count: 1 } as const;
const REJECTED = { fault: 'http', status: 400, path: CREATE, count: 1 } as const;
const FORBIDDEN = { fault: 'http', status: 403, path: CREATE } as const;

/** Longer than any test: a customer that is created at once, and whose reply nobody gets. */
const NEVER_ANSWERED: FaultRule = { fault: 'latency', path: CREATE, ms: 600_000 };

/** So many VAT numbers. */
export const numbers = (count: number) => Array.from({ length: count }, (_, index) => `DE${700_000_000 + index}`);

interface Result extends IDataObject {
	vatNumber: string;
	key: string;
	result: string;
	reason: string;
	response: IDataObject | null;
}

const resultsOf = (results: Result[]) => results.map(({ result }) => result);

/** Customers as the workflow that the test calls gives them to the sub-workflow. */
export function callsOf(fixture: () => ExamplesFixture) {
	const post = async (customers: unknown[]) =>
		await callWebhook(`${fixture().server.url}/webhook/${CALLER}`, { customers });
	const send = async (customers: unknown[]): Promise<Result[]> => {
		const { status, body } = await post(customers);
		if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
		return body as Result[];
	};
	const created = () =>
		fixture()
			.sandbox.getRecordsAndCounters()
			.customers.map(({ vatNumber }) => vatNumber)
			.sort();
	/** The newest first. */
	const executions = async (workflowId: string) => {
		const filter = JSON.stringify({ workflowId });
		return (
			await fixture().server.rest<{ results: Array<{ id: string; status: string }> }>(
				'GET',
				`/executions?filter=${filter}`,
			)
		).results;
	};
	return {
		created,
		executions,
		send,
		/** What became of each of them. */
		sendNumbers: async (vatNumbers: string[]) => resultsOf(await send(customersOf(vatNumbers).customers)),
		inject: (...rules: FaultRule[]) => fixture().sandbox.setFaults(rules),
		/** Sends customers whose replies nobody gets, and stops the execution when so many are created. */
		sendAndStop: async (vatNumbers: string[], count: number) => {
			const before = created().length;
			fixture().sandbox.setFaults([NEVER_ANSWERED]);
			const sending = post(customersOf(vatNumbers).customers);
			await until(() => created().length === before + count, 'customers are being sent');
			for (const id of [CALLER, ID]) {
				const running = (await executions(id)).find(({ status }) => status === 'running');
				if (running) await fixture().server.rest('POST', `/executions/${running.id}/stop`);
			}
			await sending;
			fixture().sandbox.setFaults([]);
		},
	};
}

export function tests(fixture: () => ExamplesFixture): void {
	const { created, executions, inject, send, sendAndStop, sendNumbers } = callsOf(fixture);

	test('creates customers, says what became of each in their order, and sends none again', async () => {
		const [one, other, open] = numbers(3) as [string, string, string];
		const list = [
			{ vatNumber: one, name: ' Società Forlì ', fields: { city: 'Forlì', tags: ['a', 'b'] }, row: 2 },
			{ vatNumber: 'IT123', name: 'Too short', row: 3 },
			{ vatNumber: other, name: 'Rejected', row: { of: 'a list' } },
			{ vatNumber: 'DE999999999', row: 5 },
			{ vatNumber: open, name: 'Lost', fields: {} },
		];
		inject({ ...LOST_REPLY, bodyContains: open }, { ...REJECTED, bodyContains: other });
		const first = await send(list);
		expect(first).toMatchObject([
			{
				vatNumber: one,
				name: 'Società Forlì',
				fields: { city: 'Forlì', tags: ['a', 'b'] },
				row: 2,
				key: one,
				result: 'created',
				reason: '',
			},
			{ vatNumber: 'IT123', row: 3, result: 'refused', reason: expect.stringMatching(/11 digits/) as string },
			{ vatNumber: other, row: { of: 'a list' }, result: 'refused', reason: expect.stringMatching(/./) as string },
			{ vatNumber: 'DE999999999', row: 5, result: 'refused', reason: 'The name is missing.' },
			{
				vatNumber: open,
				fields: {},
				row: null,
				result: 'open',
				reason: expect.stringMatching(/ may already exist/) as string,
			},
		]);
		expect(Object.keys(first[0]!).sort()).toEqual([
			'fields',
			'key',
			'name',
			'reason',
			'response',
			'result',
			'row',
			'vatNumber',
		]);
		expect(first[1]!.reason).not.toMatch(/turn off/i);
		expect(first[0]!.response).toMatchObject({ id: expect.anything() as unknown, vatNumber: one, city: 'Forlì' });
		const second = await send([{ vatNumber: one, name: 'Other name', fields: { city: 'Roma' } }, ...list.slice(2)]);
		expect(resultsOf(second)).toEqual(['existed', 'created', 'refused', 'open']);
		expect(second[0]).toMatchObject({
			reason: expect.stringMatching(
				/^Known here since \d{4}-\d\d-\d\d, as "Società Forlì", with other data: these were not sent\.$/,
			) as string,
		});
		expect(created()).toEqual([one, other, open]);
		const stored = fixture()
			.sandbox.getRecordsAndCounters()
			.customers.map(({ vatNumber, name, city, tags }) => ({ vatNumber, name, city, tags }));
		expect(stored).toContainEqual({ vatNumber: one, name: 'Società Forlì', city: 'Forlì', tags: ['a', 'b'] });
	});

	test('takes the same number twice for the same customer if the data are the same, and sends neither otherwise', async () => {
		const results = await send([
			...['a@example.com', 'b@example.com'].map((pec) => ({ vatNumber: 'IT01234567897', name: 'A', fields: { pec } })),
			{ vatNumber: 'IT12345678903', name: 'Alfa Srl', row: 2 },
			{ vatNumber: '12345678903', name: 'ALFA  srl', row: 3 },
			{ vatNumber: 'DE700000001', name: 'Alfa SpA', row: 4 },
			{ vatNumber: 'de 700 000 001', name: 'Beta Srl', row: 5 },
			{ vatNumber: 'DE700000001', name: 'alfa  SpA', row: 6 },
			{ vatNumber: 'DE700000002', name: 'Gamma', fields: '{"city":"Roma"}' },
			{ vatNumber: 'DE700000003', name: 'Delta', city: 'Roma' },
		]);
		expect(resultsOf(results).join(' ')).toBe(`refused refused created existed${' refused'.repeat(5)}`);
		expect(results.pop()!.reason).toMatch(/^"city" would not be sent\. Put it into "fields"/);
		expect(results.pop()!.reason + results[0]!.reason).toMatch(/be an object.*has several "pec"\. Decide/);
		expect(results[3]!.reason).toBe('Twice in this list: same as row 2.');
		for (const { reason } of results.slice(4))
			expect(reason).toMatch(/has 2 names: "(?:Alfa|alfa {2})\s?SpA" and "Beta Srl"/);
		expect(created()).toEqual(['IT12345678903']);
	});

	test('says of one that is twice what became of the other', async () => {
		inject(FORBIDDEN);
		const results = await send([
			{ vatNumber: 'DE1', name: 'A' },
			{ vatNumber: 'DE500000001', name: 'B', row: 7 },
			{ vatNumber: 'DE500000001', name: 'B' },
		]);
		expect(resultsOf(results)).toEqual(['refused', 'failed', 'failed']);
		inject();
		expect(resultsOf(await send([{ vatNumber: 'DE500000001', name: 'B' }]))).toEqual(['created']);
	});

	test('leaves customers open whose execution was stopped, also when it is retried, and creates the others', async () => {
		const list = numbers(25);
		await sendAndStop(list, 10);
		const stopped = (await executions(CALLER))[0]!;
		// It ends early, or with all others: that is n8n's.
		await fixture().server.rest('POST', `/executions/${stopped.id}/retry`, { loadWorkflow: false });
		expect(created()).toEqual([...new Set(created())]);
		expect((await sendNumbers(list)).slice(0, 10)).toEqual(Array(10).fill('open'));
		expect(created()).toEqual(list);
	});
}
