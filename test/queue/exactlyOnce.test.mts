import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../../sandbox';
import { randomFrom } from '../../sandbox/faults/faultInjector';
import { chainNodes, createWebhook } from '../../scripts/n8n/workflow.mts';
import { callerOf, customersOf, readExample } from '../support/n8n/example.mts';
import { until } from '../support/until';
import {
	createdTwice,
	customersBy,
	endAll,
	inFlight,
	kill,
	listsFrom,
	post,
	type QueueMode,
	startQueue,
	type Worker,
} from './queue.mts';

/** Every night all; else, two workers and their kills take too long for each change. */
const LISTS = process.env.VOICE_ADMIN_TEST_FULL ? 10 : 4;
const CUSTOMERS_OF_A_LIST = 50;
const AT_ONCE = 3;
/** Of the example. */
const BATCH = 10;
const KILLS = process.env.VOICE_ADMIN_TEST_FULL ? 6 : 3;
const LATENCY_MS = 300;
const LOST_REPLIES = 0.05;
const SEED = Number(process.env.FAST_CHECK_SEED ?? Math.floor(Math.random() * 2 ** 31));

const CALLER = 'customers-once';
const LEDGER = 'ledger';

interface Row {
	vatNumber: string;
	status: 'sending' | 'created' | 'failed' | 'unknown';
	/** As JSON. */
	response: string;
}

let sandbox: Sandbox;
let queue: QueueMode;

/** Reads the ledger, by its name. */
const dataTableId = { __rl: true, mode: 'name', value: 'Customer ledger' };
const parameters = { resource: 'row', operation: 'get', returnAll: true, options: {}, dataTableId };
const rows = { name: 'Rows', type: 'n8n-nodes-base.dataTable', typeVersion: 1.1, parameters };
const ledgerWorkflow = chainNodes({ id: LEDGER, name: 'Ledger', start: createWebhook(LEDGER), nodes: [rows] });

const call = async (id: string, body: object, signal?: AbortSignal) =>
	await post(`${queue.url}/webhook/${id}`, body, signal);

/** Starts an execution for each list at once, and waits for their ends, of which nobody is told if a worker is killed. */
const start = async (lists: string[][], signal?: AbortSignal) =>
	await Promise.all(lists.map(async (list) => await call(CALLER, customersOf(list), signal)));

/** Rows of the ledger that say what became of the customers of lists: all but those of attempts that failed. */
async function ledgerOf(lists: string[][]): Promise<Row[]> {
	const customers = new Set(lists.flat());
	return ((await call(LEDGER, {}))!.body as Row[]).filter(
		({ vatNumber, status }) => customers.has(vatNumber) && status !== 'failed',
	);
}

beforeAll(async () => {
	const workflows = (credential: { id: string; name: string }) => {
		// The example as its user has it: with a credential selected, and nothing else changed.
		const example = readExample('create-customers-once');
		for (const node of example.nodes) if (node.credentials) node.credentials = { voiceAdminApi: credential };
		return [example, callerOf(example.id, CALLER), ledgerWorkflow];
	};
	({ queue, sandbox } = await startQueue({ name: 'once', latencyMs: LATENCY_MS, workflows }));
});

afterAll(async () => await endAll(queue));

/** Kills the busier worker at a random moment: half of the kills while customers are being sent. @returns how many executions that ended */
async function killOne(ended: Promise<unknown>, whileSending: boolean, random: () => number): Promise<number> {
	const { workers } = queue;
	const isSending = () => sandbox.getRecordsAndCounters().counters.inFlight > 0;
	const hasBegun = () => workers.some((worker) => inFlight(worker).length > 0);
	// Where all executions end before, there is nothing to wait for.
	await Promise.race([ended, until(whileSending ? isSending : hasBegun, 'an execution is under way', 20)]);
	await sleep(random() * (whileSending ? LATENCY_MS : 3_000));
	const [victim, other] = workers.sort((a, b) => inFlight(b).length - inFlight(a).length) as [Worker, Worker];
	const cutOff = inFlight(victim).length;
	await kill(victim);
	workers.splice(workers.indexOf(victim), 1, await queue.startWorker(victim.name));
	await until(() => inFlight(other).length === 0, 'the other worker has ended its executions', 20);
	return cutOff;
}

const ALL = `${LISTS * CUSTOMERS_OF_A_LIST} customers by two workers that are killed, with lost replies (FAST_CHECK_SEED=${SEED})`;

test(`${ALL}: none is created twice, and none is lost: each is in the ledger, and in the service or open for a person`, async () => {
	const lists = listsFrom(100_000_000, LISTS, CUSTOMERS_OF_A_LIST);
	let draws = 0;
	const random = () => randomFrom(SEED, draws++);
	let inLedger = new Set<string>();
	let [kills, cutOff] = [0, 0];
	let settled: Row[] = [];
	sandbox.setFaults([
		{ fault: 'latency', ms: LATENCY_MS },
		{ fault: 'resetAfter', path: '/v1/customers/add', rate: LOST_REPLIES },
	]);
	for (
		let open = lists;
		open.length > 0;
		open = lists.filter((list) => !list.every((vatNumber) => inLedger.has(vatNumber)))
	) {
		const stop = new AbortController();
		const wave = open.slice(0, AT_ONCE);
		const ended = start(wave, stop.signal);
		if (kills < KILLS) {
			const ofKill = await killOne(ended, kills % 2 === 0, random);
			if (ofKill > 0) kills += 1;
			cutOff += ofKill;
			stop.abort();
		}
		await ended;
		settled = await ledgerOf(lists);
		inLedger = new Set(settled.map(({ vatNumber }) => vatNumber));
	}

	const { customers } = sandbox.getRecordsAndCounters();
	const created = customersBy('vatNumber', customers);
	const isCreated = new Set(settled.filter(({ status }) => status === 'created').map(({ vatNumber }) => vatNumber));
	const open = [
		...new Map(
			settled.filter(({ vatNumber }) => !isCreated.has(vatNumber)).map((row) => [row.vatNumber, row]),
		).values(),
	];
	const lost = sandbox.getFaults().counts[1]!.injectionCount;
	const openAs = (status: Row['status']) => open.filter((row) => row.status === status).length;
	expect(kills).toBeGreaterThan(1);
	expect(lost).toBeGreaterThan(0);
	expect(createdTwice(customers)).toEqual([]);
	expect([...inLedger].sort()).toEqual(lists.flat());
	for (const { vatNumber, response, status } of settled) {
		if (status === 'created')
			expect([vatNumber, created.get(vatNumber)?.map(({ id }) => id)]).toEqual([
				vatNumber,
				[(JSON.parse(response) as { id: unknown }).id],
			]);
	}
	expect(openAs('unknown')).toBeLessThanOrEqual(lost);
	expect(openAs('sending')).toBeLessThanOrEqual(cutOff * BATCH);
});

test('no customer is created twice by executions with the same customers at once, and each is in the ledger as created', async () => {
	sandbox.reset();
	const lists = listsFrom(200_000_000, LISTS, 2 * BATCH);
	await start([...lists, ...lists.map((list) => [...list].reverse())]);
	expect((await ledgerOf(lists)).map(({ status }) => status)).toEqual(Array(lists.flat().length).fill('created'));
	expect(
		sandbox
			.getRecordsAndCounters()
			.customers.map(({ vatNumber }) => vatNumber)
			.sort(),
	).toEqual(lists.flat());
});
