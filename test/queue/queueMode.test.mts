import type { Sandbox } from '../../sandbox';
import { CONCURRENCY } from '../support/queue/queueSettings.mts';
import { customersOf } from '../support/n8n/example.mts';
import { OPEN } from '../support/n8n/n8n.mts';
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

const EXECUTIONS = 40;
const ITEMS = 50;

/** Long enough that an execution takes two rounds of requests, and can be ended between them. */
const LATENCY_MS = 300;

/**
 * By these a worker's death is noticed after 10 to 15 seconds. n8n's own settings are 60, 10 and 30 seconds,
 * by which it takes up to two minutes.
 */
const NOTICE_SOON = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};

/** One call of the webhook. */
interface Batch {
	vatNumbers: string[];
	/** What the caller was told; undefined as long as it waits. */
	reply?: Awaited<ReturnType<typeof post>>;
}

let sandbox: Sandbox;
let queue: QueueMode;
let nextVatNumber = 100_000_001;

/** Calls the webhook with so many batches at once. */
function call(count: number) {
	const batches: Batch[] = listsFrom(nextVatNumber, count, ITEMS).map((vatNumbers) => ({ vatNumbers }));
	nextVatNumber += count * ITEMS;
	const stop = new AbortController();
	const replies = Promise.all(
		batches.map(async (batch) => {
			batch.reply = await post(`${queue.url}/webhook/customers`, customersOf(batch.vatNumbers), stop.signal);
		}),
	);
	// Awaited later: until then a failure must not end the process.
	replies.catch(() => {});
	return { batches, replies, stopWaiting: () => stop.abort() };
}

/**
 * Until all executions since so many have ended, and the callers of all but a worker's have been told. n8n no longer
 * counts an execution as running once its data are stored, so a worker can end before it has told the main.
 */
async function endOf({ batches, replies, stopWaiting }: ReturnType<typeof call>, earlier: number) {
	const ended = async () => {
		const since = (await queue.executions()).slice(earlier);
		return since.length === batches.length && since.every(({ status }) => !OPEN.includes(status)) && since;
	};
	const executions = await until(ended, 'all executions have ended', 10);
	const replied = () => batches.filter(({ reply }) => reply).length;
	await until(() => replied() >= batches.length - CONCURRENCY, 'there is a reply to the executions that went on', 10);
	stopWaiting();
	await replies;
	return executions;
}

/** Expects of batches that each item has got its customer, in their order. */
function expectResults(batches: Batch[]): void {
	const customers = customersBy('vatNumber', sandbox.getRecordsAndCounters().customers);
	const owed = batches.map(({ vatNumbers }) => ({
		status: 200,
		body: vatNumbers.map((vatNumber) => customers.get(vatNumber)?.[0]),
	}));
	expect(batches.map(({ reply }) => reply)).toEqual(owed);
}

/** Whether a worker is in the middle of an execution: half of its customers at least are in the sandbox, and not all. */
function isHalfway(worker: Worker): boolean {
	const created = customersBy('execution', sandbox.getRecordsAndCounters().customers);
	const count = (id: string) => created.get(id)?.length ?? 0;
	return inFlight(worker).some((id) => count(id) >= ITEMS / 2 && count(id) < ITEMS);
}

beforeAll(async () => {
	({ queue, sandbox } = await startQueue({ name: 'e2e', latencyMs: LATENCY_MS, workerSettings: NOTICE_SOON }));
});

afterAll(async () => await endAll(queue));

test('each item gets its result, each customer is created once, and each execution is begun once, by two workers, which log in once each', async () => {
	const { workers } = queue;
	const { batches, replies } = call(EXECUTIONS);
	await replies;
	expectResults(batches);
	const { customers, counters } = sandbox.getRecordsAndCounters();
	expect(customers.map(({ vatNumber }) => vatNumber).sort()).toEqual(batches.flatMap(({ vatNumbers }) => vatNumbers));

	const executions = await queue.executions();
	expect(executions.map(({ status }) => status)).toEqual(Array(EXECUTIONS).fill('success'));
	const begun = workers.map((worker) => worker.started());
	expect(begun.flat().sort()).toEqual(executions.map(({ id }) => id).sort());
	for (const ids of begun) expect(ids).not.toEqual([]);
	expect(counters.logins).toBe(workers.length);
});

test('when a worker is killed, none is created twice, only its executions fail, and who is told of success has all results', async () => {
	sandbox.reset();
	const { workers } = queue;
	const killed = workers[0]!;
	const earlier = (await queue.executions()).length;
	const finishedBefore = killed.finished().length;
	const calls = call(EXECUTIONS);
	// Not in its first executions, which all begin at the same moment.
	const isInTheMiddle = () => killed.finished().length >= finishedBefore + CONCURRENCY && isHalfway(killed);
	await until(isInTheMiddle, 'an execution is half done', 10);
	await kill(killed);
	workers.push(await queue.startWorker(killed.name));
	const ended = await endOf(calls, earlier);

	const { customers, counters } = sandbox.getRecordsAndCounters();
	const createdBy = (id: string) => customersBy('execution', customers).get(id)?.length ?? 0;
	const idsOf = (isSuccess: boolean) =>
		ended.filter(({ status }) => (status === 'success') === isSuccess).map(({ id }) => id);
	const [succeeded, failed] = [idsOf(true), idsOf(false)];
	/** Executions of which no worker has said that they ended: taken by the one that was killed. */
	const cutOff = ended.map(({ id }) => id).filter((id) => !workers.some((worker) => worker.finished().includes(id)));
	const begun = workers.flatMap((worker) => worker.started());
	const again = begun.filter((id, index) => begun.indexOf(id) !== index);
	expect([createdTwice(customers), again]).toEqual([[], []]);
	expect(cutOff).toEqual(expect.arrayContaining(failed));
	expect(cutOff.length).toBeLessThanOrEqual(CONCURRENCY);
	// One was half done when its worker was killed.
	expect(Math.max(...failed.map(createdBy))).toBeGreaterThanOrEqual(ITEMS / 2);
	expect(succeeded.map((id) => [id, createdBy(id)])).toEqual(succeeded.map((id) => [id, ITEMS]));
	const isTold = ({ reply }: Batch) => reply?.status === 200;
	expectResults(calls.batches.filter(isTold));
	// The killed one's: those that it had just finished may go untold too.
	const untold = calls.batches.filter((batch) => !isTold(batch));
	const owners = customers.filter(({ vatNumber }) =>
		untold.some(({ vatNumbers }) => vatNumbers.includes(String(vatNumber))),
	);
	expect(killed.started()).toEqual(expect.arrayContaining(owners.map(({ execution }) => String(execution))));
	for (const { reply } of untold)
		if (reply) expect(reply).toEqual({ status: 500, body: { message: 'Error in workflow' } });
	// The worker that was started in its place.
	expect(counters.logins).toBeLessThanOrEqual(1);
});
