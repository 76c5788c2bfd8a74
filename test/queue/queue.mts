import { createHash } from 'node:crypto';

import { type Customer, type Sandbox, startSandbox } from '../../sandbox';
import { secretsInLog } from '../../scripts/n8n/credentials.mts';
import { type QueueMode, startQueueMode, type Worker } from '../support/queue/queueMode.mts';
import { publishWorkflows } from '../../scripts/n8n/server.mts';
import { chain, webhook } from '../support/n8n/workflow.mts';
import { credentialFor } from '../support/executor/credentialStore';
import { n8n } from '../support/n8n/n8n.mts';
import { addCustomer } from '../support/operations';

interface Named {
	id: string;
	name: string;
}

interface Options {
	/** Of its folder and logs, and of what it keeps in Redis and PostgreSQL. */
	name: string;
	/** Of the sandbox. */
	latencyMs: number;
	/** Workflows beside the one that adds the customers that its webhook, `customers`, is given. */
	workflows?: (credential: Named) => Promise<Named[]>;
	workerSettings?: Record<string, string>;
}

/** Starts an n8n in queue mode, with two workers and all its workflows published, and a sandbox. */
export async function startQueue({ name, latencyMs, workflows, workerSettings = {} }: Options) {
	const sandbox = await startSandbox({ latencyMs });
	const credential = { id: 'customers', name: 'Voice Admin' };
	const workflow = [customersWorkflow(credential), ...((await workflows?.(credential)) ?? [])];
	// Of this clone: two that share a database do not take each other's tables away.
	const clone = createHash('sha256').update(n8n.home).digest('hex').slice(0, 8);
	const queue = await startQueueMode({
		n8n,
		folder: `${n8n.home}/${name}`,
		name: `n8n_voice_admin_${name}_${n8n.version.replaceAll('.', '_')}_${clone}`,
		content: { credentials: [{ ...credential, type: 'voiceAdminApi', data: credentialFor(sandbox.url) }], workflow },
		workers: 2,
		workerSettings,
		log: `n8n-${name}-${n8n.version}`,
	});
	await publishWorkflows(queue, workflow.map(({ id }) => id));
	return { queue, sandbox };
}

/** A workflow that replies with what the node gave for each customer. Each customer carries the execution that created it. */
const customersWorkflow = (credential: Named) =>
	chain({
		id: credential.id,
		name: `Add customers with ${credential.name}`,
		start: webhook(credential.id),
		nodes: [
			{ name: 'Items', type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters: { fieldToSplitOut: 'body.customers' } },
			{
				name: 'Voice Admin',
				type: 'n8n-nodes-voice-admin.voiceAdmin',
				typeVersion: 1,
				parameters: addCustomer('={{ $json.vatNumber }}', { otherFields: '={{ { execution: $execution.id } }}' }),
				credentials: { voiceAdminApi: credential },
			},
		],
	});

/** Lists of VAT numbers, all of them different, from a number of nine digits on. */
export function listsFrom(first: number, count: number, length: number): string[][] {
	return Array.from({ length: count }, (_, list) => Array.from({ length }, (__, index) => `DE${first + list * length + index}`));
}

/** Calls a webhook, and gives its reply. A caller who is told to stop waiting has none. */
export async function post(address: string, body: object, signal?: AbortSignal): Promise<{ status: number; body: unknown } | undefined> {
	try {
		const headers = { 'content-type': 'application/json' };
		const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body), signal });
		return { status: response.status, body: await response.json() };
	} catch (error) {
		if (!signal?.aborted) throw error;
		return undefined;
	}
}

/** Customers by a field of theirs. */
export function customersBy(field: 'vatNumber' | 'execution', customers: Customer[]): Map<string, Customer[]> {
	const groups = new Map<string, Customer[]>();
	for (const customer of customers) {
		const key = String(customer[field]);
		groups.set(key, [...(groups.get(key) ?? []), customer]);
	}
	return groups;
}

/** VAT numbers of those that were created more than once. */
export const createdTwice = (customers: Customer[]): string[] =>
	[...customersBy('vatNumber', customers)].filter(([, created]) => created.length > 1).map(([vatNumber]) => vatNumber);

/** Executions that a worker has begun and not ended. */
export const inFlight = (worker: Worker): string[] => worker.started().filter((id) => !worker.finished().includes(id));

/** Secrets in the logs of workers that were killed. */
const leaked: string[] = [];

/** Kills a worker, and reads its log, which the next worker of its name overwrites. */
export async function kill(worker: Worker): Promise<void> {
	await worker.kill();
	leaked.push(...(await secretsInLog(worker)));
}

/** Ends what a file of tests has started, and expects no secret in any log. */
export async function endAll(queue: QueueMode | undefined, sandbox: Sandbox | undefined): Promise<void> {
	await queue?.stop();
	await sandbox?.close();
	if (queue) for (const each of [queue, ...queue.workers]) leaked.push(...(await secretsInLog(each)));
	expect(leaked).toEqual([]);
}
