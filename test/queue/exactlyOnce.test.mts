import { setTimeout as sleep } from 'node:timers/promises';

import { type Sandbox, startSandbox } from '../../sandbox';
import { seededRandom } from '../../sandbox/faults/draw';
import { type QueueMode, startQueueMode, type Worker } from '../../scripts/n8n/queueMode.mts';
import { publishWorkflows } from '../../scripts/n8n/server.mts';
import { chain, webhook } from '../../scripts/n8n/workflow.mts';
import { credentialFor } from '../support/executor/credentialStore';
import { CUSTOMERS, customersBy, customersWorkflow, listsFrom, post } from './customersWebhook.mts';
import { customersOf, type Example, readExample } from '../support/n8n/example.mts';
import { n8n, nameInServers } from '../support/n8n/n8n.mts';
import { printTable } from '../support/printTable';
import { until } from '../support/until';
import { endAll, inFlight, kill } from './workers.mts';

const LISTS = 10;
/** Of the measurement in docs/exactly-once.md: 20. */
const LISTS_WITHOUT_KILLS = Number(process.env.LISTS_WITHOUT_KILLS ?? LISTS);
const CUSTOMERS_OF_A_LIST = 50;
const AT_ONCE = 3;
/** Of the example. */
const BATCH = 10;
const KILLS = 6;
const LATENCY_MS = 300;
/** Those that the other worker has; who started a killed one is told nothing. */
const OTHERS_END_WITHIN_MS = 3000;
const LOST_REPLIES = 0.05;
const START_WITHIN_MS = 300_000;
const ENDS_WITHIN_MS = 600_000;
const SEED = Number(process.env.FAST_CHECK_SEED ?? Math.floor(Math.random() * 2 ** 31));

const EXAMPLE = 'customers-exactly-once';
const LEDGER = 'ledger';

interface Row {
	vatNumber: string;
	status: 'sending' | 'created' | 'failed' | 'unknown';
	customerId: string;
}

let sandbox: Sandbox;
let queue: QueueMode;
let workers: Worker[];
let random: () => number;

/** Reads the ledger, by its name. */
const ledgerWorkflow = chain({
	id: LEDGER,
	name: 'Ledger',
	start: webhook(LEDGER),
	nodes: [{ name: 'Rows', type: 'n8n-nodes-base.dataTable', typeVersion: 1.1, parameters: { resource: 'row', operation: 'get', dataTableId: { __rl: true, mode: 'name', value: 'Customer ledger' }, returnAll: true, options: {} } }],
});

/** The example as its user has it: with a credential selected, and nothing else changed. */
async function exampleWith(credential: { id: string; name: string }): Promise<Example> {
	const example = await readExample('customer-onboarding-exactly-once', EXAMPLE);
	for (const node of example.nodes) if (node.credentials) node.credentials = { voiceAdminApi: credential };
	return example;
}

const webhookOf = (id: string) => `${queue.url}/webhook/${id}`;

/** Starts an execution for a list, and waits for its end, which nobody is told of if its worker is killed. */
const start = async (list: string[], signal?: AbortSignal) => await post(webhookOf(EXAMPLE), customersOf(list), signal);

const ledger = async () => (await post(webhookOf(LEDGER), {}))!.body as Row[];

beforeAll(async () => {
	random = seededRandom(SEED);
	sandbox = await startSandbox({ latencyMs: LATENCY_MS });
	const credential = { id: 'once', name: 'Voice Admin, once' };
	queue = await startQueueMode({
		n8n,
		folder: `${n8n.home}/once`,
		name: nameInServers('once'),
		content: { credentials: [{ ...credential, type: 'voiceAdminApi', data: credentialFor(sandbox.url) }], workflow: [await exampleWith(credential), ledgerWorkflow, customersWorkflow(credential)] },
		workers: 2,
		log: `n8n-once-${n8n.version}`,
	});
	({ workers } = queue);
	await publishWorkflows(queue, [EXAMPLE, LEDGER, CUSTOMERS]);
}, START_WITHIN_MS);

afterAll(async () => await endAll(queue, sandbox), START_WITHIN_MS);

/** Rows that say what became of a customer: all but those of attempts that failed. */
function rowsOf(rows: Row[], lists: string[][]): Row[] {
	const customers = new Set(lists.flat());
	return rows.filter(({ vatNumber, status }) => customers.has(vatNumber) && status !== 'failed');
}

const vatNumbersOf = (rows: Row[]) => new Set(rows.map(({ vatNumber }) => vatNumber));

describe(`${LISTS * CUSTOMERS_OF_A_LIST} customers in executions of ${CUSTOMERS_OF_A_LIST}, by two workers that are killed, with lost replies (FAST_CHECK_SEED=${SEED})`, () => {
	const lists = listsFrom(100_000_000, LISTS, CUSTOMERS_OF_A_LIST);
	let rows: Row[];
	let inLedger: Set<string>;
	let kills = 0;
	let cutOff = 0;
	let executions = 0;

	beforeAll(async () => {
		sandbox.setFaults({ seed: SEED, rules: [{ fault: 'resetAfter', path: '/v1/customers/add', rate: LOST_REPLIES }] });
		for (let open = lists; open.length > 0; open = lists.filter((list) => !list.every((vatNumber) => inLedger.has(vatNumber)))) {
			const stop = new AbortController();
			const wave = open.slice(0, AT_ONCE);
			executions += wave.length;
			const ended = Promise.all(wave.map(async (list) => await start(list, stop.signal)));
			if (kills < KILLS) {
				// Half of the kills while customers are being sent. Where all executions end before, there is nothing to wait for.
				const isSending = () => sandbox.state().counters.inFlight > 0;
				const hasBegun = () => workers.some((worker) => inFlight(worker).length > 0);
				const whileSending = kills % 2 === 0;
				await Promise.race([ended, until(whileSending ? isSending : hasBegun, 'an execution is under way', { everyMs: 20 })]);
				await sleep(random() * (whileSending ? LATENCY_MS : 3_000));
				const [victim] = workers.sort((a, b) => inFlight(b).length - inFlight(a).length) as [Worker];
				cutOff += inFlight(victim).length;
				if (inFlight(victim).length > 0) kills += 1;
				await kill(victim);
				const restarted = queue.startWorker(victim.name);
				await Promise.race([ended, sleep(OTHERS_END_WITHIN_MS)]);
				stop.abort();
				workers.splice(workers.indexOf(victim), 1, await restarted);
			}
			await ended;
			rows = await ledger();
			inLedger = vatNumbersOf(rowsOf(rows, lists));
		}
	}, ENDS_WITHIN_MS);

	test('no customer is created twice, and none is lost: each is in the ledger, and in the service or open for a person', () => {
		const created = customersBy('vatNumber', sandbox.state().customers);
		const settled = rowsOf(rows, lists);
		const isCreated = vatNumbersOf(settled.filter(({ status }) => status === 'created'));
		const open = [...new Map(settled.filter(({ vatNumber }) => !isCreated.has(vatNumber)).map((row) => [row.vatNumber, row])).values()];
		const lost = sandbox.faults().counts[0]!.injected;
		printTable(`n8n ${n8n.version}: ${lists.flat().length} customers, workers killed ${kills} times`, [
			{ 'What came of it': 'executions', number: executions },
			{ 'What came of it': 'executions that a kill ended', number: cutOff },
			{ 'What came of it': 'replies lost after the customer was created', number: lost },
			{ 'What came of it': 'customers created twice', number: [...created.values()].filter((each) => each.length > 1).length },
			{ 'What came of it': 'created, by the ledger', number: isCreated.size },
			{ 'What came of it': 'open for a person: sending', number: open.filter(({ status }) => status === 'sending').length },
			{ 'What came of it': 'open for a person: unknown', number: open.filter(({ status }) => status === 'unknown').length },
		]);
		expect(kills).toBeGreaterThan(1);
		expect(lost).toBeGreaterThan(0);
		expect([...created.values()].filter((each) => each.length > 1)).toEqual([]);
		expect([...inLedger].sort()).toEqual(lists.flat());
		for (const { vatNumber, customerId, status } of settled) {
			if (status === 'created') expect([vatNumber, created.get(vatNumber)?.map(({ id }) => String(id))]).toEqual([vatNumber, [customerId]]);
		}
		expect(open.filter(({ status }) => status === 'unknown').length).toBeLessThanOrEqual(lost);
		expect(open.filter(({ status }) => status === 'sending').length).toBeLessThanOrEqual(cutOff * BATCH);
	});
});

describe('without kills', () => {
	test('every customer is created, and nobody is asked', async () => {
		sandbox.reset();
		const lists = listsFrom(200_000_000, LISTS_WITHOUT_KILLS, CUSTOMERS_OF_A_LIST);
		const seconds = await secondsOf(async () => await Promise.all(lists.map(async (list) => await start(list))));
		expect(rowsOf(await ledger(), lists).map(({ status }) => status)).toEqual(Array(lists.flat().length).fill('created'));
		expect(sandbox.state().customers.map(({ vatNumber }) => vatNumber).sort()).toEqual(lists.flat());

		const others = listsFrom(300_000_000, LISTS_WITHOUT_KILLS, CUSTOMERS_OF_A_LIST);
		const withoutLedger = await secondsOf(async () => await Promise.all(others.map(async (list) => await post(webhookOf(CUSTOMERS), customersOf(list)))));
		expect(sandbox.state().customers).toHaveLength(2 * lists.flat().length);
		printTable(`n8n ${n8n.version}: ${lists.length} executions of ${CUSTOMERS_OF_A_LIST} customers at once, by two workers`, [{ 'seconds with the ledger': seconds, 'without it': withoutLedger }]);
	}, ENDS_WITHIN_MS);

	test('no customer is created twice by executions with the same customers at once', async () => {
		sandbox.reset();
		const lists = listsFrom(400_000_000, LISTS, 2 * BATCH);
		await Promise.all([...lists, ...lists.map((list) => [...list].reverse())].map(async (list) => await start(list)));
		expect(rowsOf(await ledger(), lists).map(({ status }) => status)).toEqual(Array(lists.flat().length).fill('created'));
		expect(sandbox.state().customers.map(({ vatNumber }) => vatNumber).sort()).toEqual(lists.flat());
	}, ENDS_WITHIN_MS);
});

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
	const began = Date.now();
	await work();
	return Math.round((Date.now() - began) / 100) / 10;
}
