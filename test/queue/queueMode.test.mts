import { setTimeout as sleep } from 'node:timers/promises';

import type { Sandbox } from '../../sandbox';
import { PROFILES } from '../../sandbox/profiles';
import type { QueueMode, Worker } from '../../scripts/n8n/queueMode.mts';
import { CONCURRENCY } from '../../scripts/n8n/queueSettings.mts';
import { withEvidence } from '../support/n8n/evidence.mts';
import { customersOf } from '../support/n8n/example.mts';
import { n8n } from '../support/n8n/n8n.mts';
import { OPEN } from '../support/n8n/n8nServer.mts';
import { printTable } from '../support/printTable';
import { until as foundIn } from '../support/until';
import { customersBy, endAll, inFlight, kill, listsFrom, post, repeatedIn, startQueue } from './queue.mts';

const EXECUTIONS = 40;
const ITEMS = 50;

/** Long enough that an execution takes two rounds of requests, and can be ended between them. */
const LATENCY_MS = 300;

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

let sandboxes: Sandbox[];
let queue: QueueMode;
let workers: Worker[];
let batches: Batch[] = [];
let nextVatNumber = 100_000_001;

/** Until something is there, which is looked for often, as what is waited for may soon be over. */
async function until<T>(find: () => Promise<T> | T, what: string) {
	return await withEvidence(async () => await foundIn(find, what, 10), situation);
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

/** Calls the webhook of a service with so many batches at once. */
function call(count: number, service = 'customers'): { replies: Promise<unknown>; stopWaiting: () => void } {
	batches = listsFrom(nextVatNumber, count, ITEMS).map((vatNumbers) => ({ vatNumbers }));
	nextVatNumber += count * ITEMS;
	const stop = new AbortController();
	const send = async (batch: Batch) => {
		batch.reply = await post(`${queue.url}/webhook/${service}`, customersOf(batch.vatNumbers), stop.signal);
	};
	const replies = Promise.all(batches.map(send));
	// Awaited later: until then a failure must not end the process.
	replies.catch(() => {});
	return { replies, stopWaiting: () => stop.abort() };
}

const stored = (of = sandboxes[0]!) => of.state().customers;
const replied = () => batches.filter(({ reply }) => reply);

/**
 * Waits for the replies, also where some callers are told nothing: n8n no longer counts an execution as running once
 * its data are stored, so a worker can end before it has told the main.
 */
async function lastReplies({ replies, stopWaiting }: ReturnType<typeof call>): Promise<void> {
	await until(() => replied().length >= batches.length - CONCURRENCY, 'there is a reply to the executions that went on');
	await Promise.race([replies, sleep(LAST_REPLIES_MS)]);
	stopWaiting();
	await replies;
}

/** The executions since so many, when all have ended. */
async function endOf(count: number, earlier: number) {
	const ended = async () => {
		const since = (await queue.executions()).slice(earlier);
		return since.length === count && since.every(({ status }) => !OPEN.includes(status)) && since;
	};
	return await until(ended, `${count} executions have ended`);
}

/** Expects of batches that each item has got its customer, in their order. */
function expectResults(of: Batch[], sandbox = sandboxes[0]!): void {
	const customers = customersBy('vatNumber', stored(sandbox));
	const owed = of.map(({ vatNumbers }) => ({ status: 200, body: vatNumbers.map((vatNumber) => customers.get(vatNumber)?.[0]) }));
	expect(of.map(({ reply }) => reply)).toEqual(owed);
}

/** Whether a worker is in the middle of an execution: half of its customers at least are in the sandbox, and not all. */
function isHalfway(worker: Worker): boolean {
	const created = customersBy('execution', stored());
	const count = (id: string) => created.get(id)?.length ?? 0;
	return inFlight(worker).some((id) => count(id) >= ITEMS / 2 && count(id) < ITEMS);
}

beforeAll(async () => {
	const newestTokenOnly = { latencyMs: 100, profile: PROFILES.find((profile) => profile.newestTokenOnly) };
	const services = { customers: { latencyMs: LATENCY_MS }, 'newest-token': newestTokenOnly };
	({ queue, workers, sandboxes } = await startQueue({ name: 'e2e', services, workerSettings: NOTICE_SOON }));
});

afterAll(async () => await endAll(queue, sandboxes));

describe.each([
	['two workers', 2, 'customers', 0],
	['three workers, with a service that honors only the newest token of their key', 3, 'newest-token', 1],
] as const)(`${EXECUTIONS} executions of ${ITEMS} customers by %s`, (_what, count, service, index) => {
	let earlier: number;
	let before: number[];

	beforeAll(async () => {
		if (count > workers.length) workers.push(await queue.startWorker(`worker-${count}`));
		earlier = (await queue.executions()).length;
		before = workers.map((worker) => worker.started().length);
		await call(EXECUTIONS, service).replies;
	});

	afterAll(async () => {
		if (count > 2) await workers.pop()!.stop();
	});

	test('give every item its result, in the order of the items, and create every customer once', () => {
		expectResults(batches, sandboxes[index]);
		const created = stored(sandboxes[index]).map(({ vatNumber }) => vatNumber);
		expect(created.sort()).toEqual(batches.flatMap(({ vatNumbers }) => vatNumbers));
	});

	test('succeed, each begun once, and are shared by all workers', async () => {
		const executions = (await queue.executions()).slice(earlier);
		expect(executions.map(({ status }) => status)).toEqual(Array(EXECUTIONS).fill('success'));
		const begun = workers.map((worker, each) => worker.started().slice(before[each]));
		expect(begun.flat().sort()).toEqual(executions.map(({ id }) => id).sort());
		for (const ids of begun) expect(ids).not.toEqual([]);
	});

	test('log in once per process at most, where another login does not end the token', () => {
		const { logins } = sandboxes[index]!.state().counters;
		expect(logins).toBeGreaterThan(0);
		if (service === 'customers') expect(logins).toBeLessThanOrEqual(count);
	});
});

describe('when a worker is killed in the middle of its executions', () => {
	/** Executions of which no worker has said that they ended: taken by the one that was killed. */
	let cutOff: string[];
	let succeeded: string[];
	let failed: string[];
	const createdBy = (id: string) => customersBy('execution', stored()).get(id)?.length ?? 0;

	beforeAll(async () => {
		sandboxes[0]!.reset();
		const earlier = (await queue.executions()).length;
		const killed = workers[0]!;
		const finishedBefore = killed.finished().length;
		const calls = call(EXECUTIONS);
		// Not in its first executions, which all begin at the same moment.
		await until(() => killed.finished().length >= finishedBefore + CONCURRENCY && isHalfway(killed), 'an execution is half done');
		await kill(killed);
		workers.push(await queue.startWorker(killed.name));
		const ended = await endOf(EXECUTIONS, earlier);
		await lastReplies(calls);
		const idsOf = (isSuccess: boolean) => ended.filter(({ status }) => (status === 'success') === isSuccess).map(({ id }) => id);
		[succeeded, failed] = [idsOf(true), idsOf(false)];
		cutOff = ended.map(({ id }) => id).filter((id) => !workers.some((worker) => worker.finished().includes(id)));
	});

	test('no customer is created twice, and n8n begins no execution again', () => {
		const begun = workers.flatMap((worker) => worker.started());
		const again = begun.filter((id, index) => begun.indexOf(id) !== index);
		const told = (status?: number) => batches.filter(({ reply }) => reply?.status === status).length;
		printTable(`n8n ${n8n.version}: a worker killed in the middle of ${cutOff.length} of ${EXECUTIONS} executions of ${ITEMS} customers`, {
			'executions that n8n ran again': again.length,
			'customers created twice': repeatedIn(stored()).length,
			'executions that n8n ended as failed': failed.length,
			'customers that these had created': failed.reduce((sum, id) => sum + createdBy(id), 0),
			'callers of the webhook told of success': told(200),
			'callers told of an error': told(500),
			'callers told nothing': told(undefined),
			logins: sandboxes[0]!.state().counters.logins,
		});
		expect([repeatedIn(stored()), again]).toEqual([[], []]);
	});

	test('only executions that it had under way fail', () => {
		expect(cutOff).toEqual(expect.arrayContaining(failed));
		expect(failed).not.toEqual([]);
		expect(cutOff.length).toBeLessThanOrEqual(CONCURRENCY);
		// One was half done when its worker was killed.
		expect(Math.max(...failed.map(createdBy))).toBeGreaterThanOrEqual(ITEMS / 2);
	});

	test('no execution that n8n calls a success lacks a customer', () => {
		expect(succeeded.map((id) => [id, createdBy(id)])).toEqual(succeeded.map((id) => [id, ITEMS]));
	});

	test('every caller who is told of success gets every result; the others get 500 or no reply', () => {
		const isSuccess = ({ reply }: Batch) => reply?.status === 200;
		expectResults(batches.filter(isSuccess));
		// As many as a worker has under way, the killed one's: those that it had just finished may go untold too.
		const untold = batches.filter((batch) => !isSuccess(batch));
		expect(untold.length).toBeLessThanOrEqual(CONCURRENCY);
		const vatNumbers = untold.flatMap((batch) => batch.vatNumbers);
		const executed = stored().filter(({ vatNumber }) => vatNumbers.includes(String(vatNumber))).map(({ execution }) => String(execution));
		expect(workers[0]!.started()).toEqual(expect.arrayContaining(executed));
		for (const { reply } of untold) if (reply) expect(reply).toEqual({ status: 500, body: { message: 'Error in workflow' } });
	});

	test('logins are once per process at most', () => {
		expect(sandboxes[0]!.state().counters.logins).toBeLessThanOrEqual(1);
	});
});

describe('when a worker is asked to end in the middle of its executions', () => {
	const CALLS = EXECUTIONS / 2;

	test('it finishes them, the other takes the others, and every caller who is told anything gets every result', async () => {
		sandboxes[0]!.reset();
		const earlier = (await queue.executions()).length;
		const running = workers.slice(1).map((worker) => ({ worker, before: worker.started().length }));
		const calls = call(CALLS);
		const { worker: asked } = await until(() => running.find(({ worker }) => isHalfway(worker)), 'an execution is half done');
		await asked.stop();
		const ended = await endOf(CALLS, earlier);
		await lastReplies(calls);
		expect(ended.map(({ status }) => status)).toEqual(Array(CALLS).fill('success'));
		// Not by the worker's log: it may end before it has written that its last execution has.
		const begun = running.map(({ worker, before }) => worker.started().slice(before));
		for (const ids of begun) expect(ids).not.toEqual([]);
		expect(begun.flat()).toHaveLength(new Set(begun.flat()).size);
		expect(stored()).toHaveLength(CALLS * ITEMS);
		expectResults(replied());
	});
});
