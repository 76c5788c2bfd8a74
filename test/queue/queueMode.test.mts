import { setTimeout as sleep } from 'node:timers/promises';

import { type Sandbox, startSandbox } from '../../sandbox';
import { PROFILES } from '../../sandbox/profiles';
import { type QueueMode, startQueueMode, type Worker } from '../../scripts/n8n/queueMode.mts';
import { CONCURRENCY } from '../../scripts/n8n/queueSettings.mts';
import { publishWorkflows } from '../../scripts/n8n/server.mts';
import { credentialFor } from '../support/executor/credentialStore';
import { CUSTOMERS, customersBy, customersWorkflow, listsFrom, post } from './customersWebhook.mts';
import { withEvidence } from '../support/n8n/evidence.mts';
import { customersOf } from '../support/n8n/example.mts';
import { n8n, nameInServers } from '../support/n8n/n8n.mts';
import { OPEN } from '../support/n8n/n8nServer.mts';
import { printTable } from '../support/printTable';
import { until as foundIn } from '../support/until';
import { endAll, inFlight, kill } from './workers.mts';

const EXECUTIONS = 40;
const ITEMS = 50;

const NEWEST_TOKEN_LATENCY_MS = 100;

/** The workflow whose service honors only the newest token of a key. */
const NEWEST_TOKEN = 'newest-token';

/** Long enough that an execution takes two rounds of requests, and can be ended between them. */
const LATENCY_MS = 300;

const START_WITHIN_MS = 300_000;
const STEP_WITHIN_MS = 90_000;
/** Of some steps: so it is a step that fails, and says which. */
const STEPS_WITHIN_MS = 4 * STEP_WITHIN_MS;

/** How long callers who may be told nothing are waited for. */
const LAST_REPLIES_MS = 3_000;

/**
 * By these a worker's death is noticed after 10 to 15 seconds. n8n's own settings are 60, 10 and 30 seconds,
 * by which it takes up to two minutes.
 */
const NOTICE_SOON = { QUEUE_WORKER_LOCK_DURATION: '10000', QUEUE_WORKER_LOCK_RENEW_TIME: '2000', QUEUE_WORKER_STALLED_INTERVAL: '3000' };

/** One call of the webhook. */
interface Batch {
	vatNumbers: string[];
	/** What the caller was told; undefined as long as it waits. */
	reply?: Awaited<ReturnType<typeof post>>;
}

let sandbox: Sandbox;
let newestTokenSandbox: Sandbox;
let queue: QueueMode;
let workers: Worker[];
let batches: Batch[];
let nextVatNumber = 100_000_001;

/** Until something is there, which is looked for often, as what is waited for may soon be over. */
async function until<T>(find: () => Promise<T> | T, what: string) {
	return await withEvidence(async () => await foundIn(find, what, { everyMs: 10, withinMs: STEP_WITHIN_MS }), situation);
}

/** What a person would look at first when a step takes too long. */
async function situation(): Promise<string> {
	const list = (values: Array<number | string>) => values.join(' ') || 'none';
	return [
		`executions: ${list((await queue.executions()).slice(-batches.length).map(({ status }) => status))}`,
		`replies: ${list(batches.map(({ reply }) => reply?.status ?? '-'))}`,
		`customers: ${stored().length}`,
		...workers.map((worker) => `${worker.name} has under way: ${list(inFlight(worker))}`),
	].join('; ');
}

/** Calls the webhook with so many batches at once. */
function call(count: number, path = CUSTOMERS): { replies: Promise<void>; stopWaiting: () => void } {
	batches = listsFrom(nextVatNumber, count, ITEMS).map((vatNumbers) => ({ vatNumbers }));
	nextVatNumber += count * ITEMS;
	const stop = new AbortController();
	const send = async (batch: Batch) => (batch.reply = await post(`${queue.url}/webhook/${path}`, customersOf(batch.vatNumbers), stop.signal));
	const replies = Promise.all(batches.map(send));
	// Awaited later: until then a failure must not end the process.
	replies.catch(() => {});
	return { replies: replies.then(() => {}), stopWaiting: () => stop.abort() };
}

const stored = (of = sandbox) => of.state().customers;

/**
 * Waits for the replies, also where some callers are told nothing: n8n no longer counts an execution as running once
 * its data are stored, so a worker can end before it has told the main.
 */
async function lastReplies({ replies, stopWaiting }: ReturnType<typeof call>): Promise<void> {
	await until(() => batches.filter(({ reply }) => reply).length >= batches.length - CONCURRENCY, 'there is a reply to the executions that went on');
	await Promise.race([replies, sleep(LAST_REPLIES_MS)]);
	stopWaiting();
	await replies;
}

/** The ids of the executions since so many, when all have ended. */
async function endOf(count: number, earlier: number): Promise<string[]> {
	const ended = async () => {
		const since = (await queue.executions()).slice(earlier);
		return since.length === count && since.every(({ status }) => !OPEN.includes(status)) && since.map(({ id }) => id);
	};
	return await until(ended, `${count} executions have ended`);
}

/** The reply that a batch is owed: for each of its items, in their order, the customer that is in the sandbox. */
function owed({ vatNumbers }: Batch, of = sandbox): object {
	const customers = customersBy('vatNumber', stored(of));
	return { status: 200, body: vatNumbers.map((vatNumber) => customers.get(vatNumber)?.[0]) };
}

/** Whether a worker is in the middle of an execution: half of its customers at least are in the sandbox, and not all. */
function isHalfway(worker: Worker): boolean {
	const created = customersBy('execution', stored());
	const count = (id: string) => created.get(id)?.length ?? 0;
	return inFlight(worker).some((id) => count(id) >= ITEMS / 2 && count(id) < ITEMS);
}

beforeAll(async () => {
	sandbox = await startSandbox({ latencyMs: LATENCY_MS });
	newestTokenSandbox = await startSandbox({ latencyMs: NEWEST_TOKEN_LATENCY_MS, profile: PROFILES.find(({ newestTokenOnly }) => newestTokenOnly) });
	const services = [
		{ id: CUSTOMERS, name: 'Voice Admin in the queue', url: sandbox.url },
		{ id: NEWEST_TOKEN, name: 'Voice Admin with the newest token', url: newestTokenSandbox.url },
	];
	queue = await startQueueMode({
		n8n,
		folder: n8n.home,
		name: nameInServers('e2e'),
		content: {
			credentials: services.map(({ id, name, url }) => ({ id, name, type: 'voiceAdminApi', data: credentialFor(url) })),
			workflow: services.map(({ id, name }) => customersWorkflow({ id, name }, id)),
		},
		workers: 2,
		workerSettings: NOTICE_SOON,
	});
	({ workers } = queue);
	await publishWorkflows(queue, [CUSTOMERS, NEWEST_TOKEN]);
}, START_WITHIN_MS);

afterAll(async () => await endAll(queue, sandbox, newestTokenSandbox), STEPS_WITHIN_MS);

describe(`${EXECUTIONS} executions of ${ITEMS} customers, by two workers`, () => {
	beforeAll(async () => {
		await call(EXECUTIONS).replies;
	}, STEPS_WITHIN_MS);

	test('give every item its result, in the order of the items, and create every customer once', () => {
		expect(batches.map(({ reply }) => reply)).toEqual(batches.map((batch) => owed(batch)));
		const created = stored().map(({ vatNumber }) => vatNumber);
		expect(created.sort()).toEqual(batches.flatMap(({ vatNumbers }) => vatNumbers));
	});

	test('succeed, each begun once', async () => {
		const executions = await queue.executions();
		expect(executions.map(({ status }) => status)).toEqual(Array(EXECUTIONS).fill('success'));
		expect(workers.flatMap((worker) => worker.started()).sort()).toEqual(executions.map(({ id }) => id).sort());
	});

	test('are shared by both workers, and log in once per process at most', () => {
		const { logins } = sandbox.state().counters;
		for (const worker of workers) expect(worker.started()).not.toEqual([]);
		expect(logins).toBeGreaterThan(0);
		expect(logins).toBeLessThanOrEqual(workers.length);
	});
});

describe(`${EXECUTIONS} executions of ${ITEMS} customers by three workers, with a service that honors only the newest token of their key`, () => {
	let third: Worker;

	beforeAll(async () => {
		third = await queue.startWorker('worker-3');
		workers.push(third);
		await call(EXECUTIONS, NEWEST_TOKEN).replies;
	}, STEPS_WITHIN_MS);

	afterAll(async () => {
		workers.pop();
		await third.stop();
	}, STEP_WITHIN_MS);

	test('give every item its result, and create every customer once', () => {
		expect(batches.map(({ reply }) => reply)).toEqual(batches.map((batch) => owed(batch, newestTokenSandbox)));
		const created = stored(newestTokenSandbox).map(({ vatNumber }) => vatNumber);
		expect(created.sort()).toEqual(batches.flatMap(({ vatNumbers }) => vatNumbers));
	});

	test('are shared by the three, each of which has logged in', () => {
		expect(third.started()).not.toEqual([]);
		expect(newestTokenSandbox.state().counters.logins).toBeGreaterThanOrEqual(3);
	});
});

describe('when a worker is killed in the middle of its executions', () => {
	/** Executions of which no worker has said that they ended: taken by the one that was killed. */
	let cutOff: string[];
	let ran: Map<string, number>;
	let failed: string[];
	let repeated: string[];

	/** How often n8n has begun each execution, on whatever worker. */
	function runs(of: Worker[]): Map<string, number> {
		const counts = new Map<string, number>();
		for (const id of of.flatMap((worker) => worker.started())) counts.set(id, (counts.get(id) ?? 0) + 1);
		return counts;
	}

	beforeAll(async () => {
		sandbox.reset();
		const earlier = (await queue.executions()).length;
		const killed = workers[0]!;
		const finishedBefore = killed.finished().length;
		const calls = call(EXECUTIONS);
		// Not in its first executions, which all begin at the same moment.
		await until(() => killed.finished().length >= finishedBefore + CONCURRENCY && isHalfway(killed), 'an execution is half done');
		await kill(killed);
		workers.push(await queue.startWorker(killed.name));
		const ids = await endOf(EXECUTIONS, earlier);
		await lastReplies(calls);

		cutOff = ids.filter((id) => !workers.some((worker) => worker.finished().includes(id)));
		ran = runs(workers);
		failed = (await queue.executions()).filter(({ status }) => status !== 'success').map(({ id }) => id);
		repeated = [...customersBy('vatNumber', stored())].filter(([, customers]) => customers.length > 1).map(([vatNumber]) => vatNumber);
	}, STEPS_WITHIN_MS);

	test('no customer is created twice, and n8n begins no execution again', () => {
		const again = [...ran].filter(([, count]) => count > 1).map(([id]) => id);
		const created = customersBy('execution', stored());
		const inFailed = failed.map((id) => created.get(id)?.length ?? 0);
		const statuses = batches.map(({ reply }) => reply?.status);
		printTable(`n8n ${n8n.version}: a worker killed in the middle of ${cutOff.length} of ${EXECUTIONS} executions of ${ITEMS} customers`, [
			{ 'What came of it': 'executions that n8n ran again', number: again.length },
			{ 'What came of it': 'customers created twice', number: repeated.length },
			{ 'What came of it': 'executions that n8n ended as failed', number: failed.length },
			{ 'What came of it': 'customers that these had created', number: inFailed.reduce((sum, count) => sum + count, 0) },
			{ 'What came of it': 'callers of the webhook told of success', number: statuses.filter((status) => status === 200).length },
			{ 'What came of it': 'callers told of an error', number: statuses.filter((status) => status === 500).length },
			{ 'What came of it': 'callers told nothing', number: statuses.filter((status) => status === undefined).length },
			{ 'What came of it': 'logins', number: sandbox.state().counters.logins },
		]);
		expect([repeated, again]).toEqual([[], []]);
	});

	test('only executions that it had under way fail', () => {
		expect(cutOff).toEqual(expect.arrayContaining(failed));
		expect(failed).not.toEqual([]);
		expect(cutOff.length).toBeLessThanOrEqual(CONCURRENCY);
		// One was half done when its worker was killed.
		const created = customersBy('execution', stored());
		expect(Math.max(...failed.map((id) => created.get(id)?.length ?? 0))).toBeGreaterThanOrEqual(ITEMS / 2);
	});

	test('no execution that n8n calls a success lacks a customer', async () => {
		const created = customersBy('execution', stored());
		const begun = (await queue.executions()).slice(-EXECUTIONS).map(({ id }) => id);
		const succeeded = begun.filter((id) => !failed.includes(id));
		expect(succeeded.map((id) => [id, created.get(id)?.length])).toEqual(succeeded.map((id) => [id, ITEMS]));
	});

	test('every caller who is told of success gets every result; the others get 500 or no reply', () => {
		const told = batches.filter(({ reply }) => reply?.status === 200);
		expect(told.map(({ reply }) => reply)).toEqual(told.map((batch) => owed(batch)));
		// As many as a worker has under way, the killed one's: those that it had just finished may go untold too.
		expect(EXECUTIONS - told.length).toBeLessThanOrEqual(CONCURRENCY);
		const untold = batches.filter((batch) => !told.includes(batch)).flatMap(({ vatNumbers }) => vatNumbers);
		const executed = new Set(stored().filter(({ vatNumber }) => untold.includes(String(vatNumber))).map(({ execution }) => String(execution)));
		expect([...executed].filter((id) => !workers[0]!.started().includes(id))).toEqual([]);
		const others = batches.filter(({ reply }) => reply !== undefined && reply.status !== 200);
		expect(others.map(({ reply }) => reply)).toEqual(others.map(() => ({ status: 500, body: { message: 'Error in workflow' } })));
	});

	test('logins are once per process at most', () => {
		expect(sandbox.state().counters.logins).toBeLessThanOrEqual(1);
	});
});

describe('when a worker is asked to end in the middle of its executions', () => {
	const CALLS = EXECUTIONS / 2;
	let begunByAsked: string[];
	let begunByOther: string[];

	beforeAll(async () => {
		sandbox.reset();
		const earlier = (await queue.executions()).length;
		const running = workers.slice(1).map((worker) => ({ worker, before: worker.started().length }));
		const calls = call(CALLS);
		const { worker: asked } = await until(() => running.find(({ worker }) => isHalfway(worker)), 'an execution is half done');
		let hasEnded = false;
		const stopped = asked.stop().then(() => (hasEnded = true));
		await until(() => hasEnded, 'the worker has ended');
		await stopped;
		await endOf(CALLS, earlier);
		await lastReplies(calls);
		const begunBy = (some: typeof running) => some.flatMap(({ worker, before }) => worker.started().slice(before));
		begunByAsked = begunBy(running.filter(({ worker }) => worker === asked));
		begunByOther = begunBy(running.filter(({ worker }) => worker !== asked));
	}, STEPS_WITHIN_MS);

	test('it finishes them, and the other worker takes the others', async () => {
		expect((await queue.executions()).slice(-CALLS).map(({ status }) => status)).toEqual(Array(CALLS).fill('success'));
		// Not by the worker's log: it may end before it has written that its last execution has.
		expect(begunByOther.filter((id) => begunByAsked.includes(id))).toEqual([]);
		expect(begunByAsked).not.toEqual([]);
		expect(stored()).toHaveLength(CALLS * ITEMS);
		expect(begunByOther).not.toEqual([]);
	});

	test('every caller who is told anything gets every result', () => {
		const told = batches.filter(({ reply }) => reply);
		expect(told.map(({ reply }) => reply)).toEqual(told.map((batch) => owed(batch)));
	});
});
