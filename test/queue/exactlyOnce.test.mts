import { setTimeout as sleep } from 'node:timers/promises';

import type { Sandbox } from '../../sandbox';
import { seededRandom } from '../../sandbox/faults/draw';
import type { QueueMode, Worker } from '../../scripts/n8n/queueMode.mts';
import { chain, webhook } from '../../scripts/n8n/workflow.mts';
import { customersOf, readExample } from '../support/n8n/example.mts';
import { n8n } from '../support/n8n/n8n.mts';
import { printTable } from '../support/printTable';
import { until } from '../support/until';
import { customersBy, endAll, inFlight, kill, listsFrom, post, repeatedIn, startQueue } from './queue.mts';

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

/** Reads the ledger, by its name. */
const ledgerWorkflow = chain({
	id: LEDGER,
	name: 'Ledger',
	start: webhook(LEDGER),
	nodes: [
		{
			name: 'Rows',
			type: 'n8n-nodes-base.dataTable',
			typeVersion: 1.1,
			parameters: {
				...{ resource: 'row', operation: 'get', returnAll: true, options: {} },
				dataTableId: { __rl: true, mode: 'name', value: 'Customer ledger' },
			},
		},
	],
});

const call = async (id: string, body: object, signal?: AbortSignal) => await post(`${queue.url}/webhook/${id}`, body, signal);

/** Starts an execution for each list at once, and waits for their ends, of which nobody is told if a worker is killed. */
const start = async (lists: string[][], signal?: AbortSignal) =>
	await Promise.all(lists.map(async (list) => await call(EXAMPLE, customersOf(list), signal)));

const ledger = async () => (await call(LEDGER, {}))!.body as Row[];

beforeAll(async () => {
	const workflows = async (credential: { id: string; name: string }) => {
		// The example as its user has it: with a credential selected, and nothing else changed.
		const example = await readExample('customer-onboarding-exactly-once', EXAMPLE);
		for (const node of example.nodes) if (node.credentials) node.credentials = { voiceAdminApi: credential };
		return [example, ledgerWorkflow];
	};
	const started = await startQueue({ name: 'once', services: { customers: { latencyMs: LATENCY_MS } }, workflows });
	({ queue, workers, sandboxes: [sandbox] } = started as typeof started & { sandboxes: [Sandbox] });
});

afterAll(async () => await endAll(queue, [sandbox]));

/** Rows that say what became of a customer: all but those of attempts that failed. */
function rowsOf(rows: Row[], lists: string[][]): Row[] {
	const customers = new Set(lists.flat());
	return rows.filter(({ vatNumber, status }) => customers.has(vatNumber) && status !== 'failed');
}

const vatNumbersOf = (rows: Row[]) => new Set(rows.map(({ vatNumber }) => vatNumber));

const ALL = `${LISTS * CUSTOMERS_OF_A_LIST} customers in executions of ${CUSTOMERS_OF_A_LIST}`;

describe(`${ALL}, by two workers that are killed, with lost replies (FAST_CHECK_SEED=${SEED})`, () => {
	const lists = listsFrom(100_000_000, LISTS, CUSTOMERS_OF_A_LIST);
	let rows: Row[];
	let inLedger: Set<string>;
	let kills = 0;
	let cutOff = 0;
	let executions = 0;
	const random = seededRandom(SEED);

	beforeAll(async () => {
		sandbox.setFaults({ seed: SEED, rules: [{ fault: 'resetAfter', path: '/v1/customers/add', rate: LOST_REPLIES }] });
		for (let open = lists; open.length > 0; open = lists.filter((list) => !list.every((vatNumber) => inLedger.has(vatNumber)))) {
			const stop = new AbortController();
			const wave = open.slice(0, AT_ONCE);
			executions += wave.length;
			const ended = start(wave, stop.signal);
			if (kills < KILLS) {
				// Half of the kills while customers are being sent. Where all executions end before, there is nothing to wait for.
				const isSending = () => sandbox.state().counters.inFlight > 0;
				const hasBegun = () => workers.some((worker) => inFlight(worker).length > 0);
				const whileSending = kills % 2 === 0;
				await Promise.race([ended, until(whileSending ? isSending : hasBegun, 'an execution is under way', 20)]);
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
	});

	test('no customer is created twice, and none is lost: each is in the ledger, and in the service or open for a person', () => {
		const created = customersBy('vatNumber', sandbox.state().customers);
		const settled = rowsOf(rows, lists);
		const isCreated = vatNumbersOf(settled.filter(({ status }) => status === 'created'));
		const open = [...new Map(settled.filter(({ vatNumber }) => !isCreated.has(vatNumber)).map((row) => [row.vatNumber, row])).values()];
		const lost = sandbox.faults().counts[0]!.injected;
		const openAs = (status: Row['status']) => open.filter((row) => row.status === status).length;
		printTable(`n8n ${n8n.version}: ${lists.flat().length} customers, workers killed ${kills} times`, {
			executions,
			'executions that a kill ended': cutOff,
			'replies lost after the customer was created': lost,
			'customers created twice': repeatedIn(sandbox.state().customers).length,
			'created, by the ledger': isCreated.size,
			'open for a person: sending': openAs('sending'),
			'open for a person: unknown': openAs('unknown'),
		});
		expect(kills).toBeGreaterThan(1);
		expect(lost).toBeGreaterThan(0);
		expect(repeatedIn(sandbox.state().customers)).toEqual([]);
		expect([...inLedger].sort()).toEqual(lists.flat());
		for (const { vatNumber, customerId, status } of settled) {
			if (status === 'created') expect([vatNumber, created.get(vatNumber)?.map(({ id }) => String(id))]).toEqual([vatNumber, [customerId]]);
		}
		expect(openAs('unknown')).toBeLessThanOrEqual(lost);
		expect(openAs('sending')).toBeLessThanOrEqual(cutOff * BATCH);
	});
});

describe('without kills', () => {
	const expectCreated = async (lists: string[][]) => {
		expect(rowsOf(await ledger(), lists).map(({ status }) => status)).toEqual(Array(lists.flat().length).fill('created'));
		expect(sandbox.state().customers.map(({ vatNumber }) => vatNumber).sort()).toEqual(lists.flat());
	};

	test('every customer is created, and nobody is asked', async () => {
		sandbox.reset();
		const lists = listsFrom(200_000_000, LISTS_WITHOUT_KILLS, CUSTOMERS_OF_A_LIST);
		const seconds = await secondsOf(async () => await start(lists));
		await expectCreated(lists);

		const others = listsFrom(300_000_000, LISTS_WITHOUT_KILLS, CUSTOMERS_OF_A_LIST);
		const withoutLedger = async () => await Promise.all(others.map(async (list) => await call('customers', customersOf(list))));
		printTable(`n8n ${n8n.version}: ${lists.length} executions of ${CUSTOMERS_OF_A_LIST} customers at once, by two workers`, {
			'seconds with the ledger': seconds,
			'seconds without it': await secondsOf(withoutLedger),
		});
		expect(sandbox.state().customers).toHaveLength(2 * lists.flat().length);
	});

	test('no customer is created twice by executions with the same customers at once', async () => {
		sandbox.reset();
		const lists = listsFrom(400_000_000, LISTS, 2 * BATCH);
		await start([...lists, ...lists.map((list) => [...list].reverse())]);
		await expectCreated(lists);
	});
});

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
	const began = Date.now();
	await work();
	return Math.round((Date.now() - began) / 100) / 10;
}
