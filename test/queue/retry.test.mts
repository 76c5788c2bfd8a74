import type { Sandbox } from '../../sandbox';
import { CUSTOMERS, customersOf } from '../support/n8n/example.mts';
import { OPEN } from '../support/n8n/n8n.mts';
import { chainNodes, createWebhook } from '../../scripts/n8n/workflow.mts';
import { addCustomer } from '../support/operations';
import { until } from '../support/until';
import { createdTwice, endAll, kill, listsFrom, post, type QueueMode, startQueue } from './queue.mts';

const LATENCY_MS = 100;

let sandbox: Sandbox;
let queue: QueueMode;
let rest: Awaited<ReturnType<QueueMode['rest']>>;

const [VAT_NUMBERS = []] = listsFrom(200_000_001, 1, 5);
const created = () => sandbox.getRecordsAndCounters().customers.map(({ vatNumber }) => vatNumber);

beforeAll(async () => {
	const workflows = (credential: { id: string; name: string }) => [
		chainNodes({
			id: 'one-by-one',
			name: 'One by one',
			start: createWebhook('one-by-one'),
			nodes: [
				{ name: 'Items', ...CUSTOMERS },
				{
					name: 'Voice Admin',
					type: 'n8n-nodes-voice-admin.voiceAdmin',
					typeVersion: 1,
					parameters: addCustomer('={{ $json.vatNumber }}', { options: { maxConcurrency: 1 } }),
					credentials: { voiceAdminApi: credential },
				},
			],
		}),
	];
	({ queue, sandbox } = await startQueue({ name: 'retry', latencyMs: LATENCY_MS, workflows }));
	rest = await queue.rest();
});

afterAll(async () => await endAll(queue));

test("n8n's Retry goes on in another worker, after the first one was killed, and creates each customer once", async () => {
	sandbox.setFaults([
		{ fault: 'latency', ms: LATENCY_MS },
		{ fault: 'http', status: 400, bodyContains: VAT_NUMBERS[2]!, count: 1 },
	]);
	await post(`${queue.url}/webhook/one-by-one`, customersOf(VAT_NUMBERS));
	const [failed] = await until(async () => {
		const all = await queue.executions();
		return all.length === 1 && !OPEN.includes(all[0]!.status) && all;
	}, 'the execution has ended');
	expect([failed!.status, created()]).toEqual(['error', VAT_NUMBERS.slice(0, 2)]);
	await kill(queue.workers.find((worker) => worker.started().includes(failed!.id))!);
	await rest('POST', `/executions/${failed!.id}/retry`, { loadWorkflow: false });
	const retried = await until(async () => {
		const [, second] = await queue.executions();
		return second && !OPEN.includes(second.status) && second;
	}, 'the retried execution has ended');
	expect(retried.status).toBe('success');
	expect(created()).toEqual(VAT_NUMBERS);
	expect(createdTwice(sandbox.getRecordsAndCounters().customers)).toEqual([]);
});
