import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { type Customer, startSandbox } from '../../sandbox';
import { importInto, startN8n } from '../../scripts/n8n/cli.mts';
import { findSecretsInLog } from '../../scripts/n8n/credentials.mts';
import { createSiblingN8n } from '../../scripts/n8n/home.mts';
import { publishWorkflows, startServer, signIn } from '../../scripts/n8n/server.mts';
import { findFreePort } from '../../scripts/servers/ports.mts';
import { isResponding, waitUntil } from '../../scripts/servers/readiness.mts';
import { credentialFor } from '../support/executor/credentialStore';
import { CUSTOMERS } from '../support/n8n/example.mts';
import { n8n } from '../support/n8n/n8n.mts';
import { chainNodes, createWebhook } from '../../scripts/n8n/workflow.mts';
import { callWebhook } from '../support/n8n/workflow.mts';
import { addCustomer } from '../support/operations';
import { CONCURRENCY, queueSettings, WORKER_SETTINGS } from '../support/queue/queueSettings.mts';
import { openStorage, startPostgres, startRedis } from '../support/queue/redisAndPostgres.mts';

const READY_WITHIN_MS = 120_000;

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
	workflows?: (credential: Named) => Named[];
	/** Environment variables of the workers alone. */
	workerSettings?: Record<string, string>;
}

/** An n8n in queue mode: a main, which takes the calls, and workers, which share nothing in memory. */
export type QueueMode = Awaited<ReturnType<typeof startQueue>>['queue'];
export type Worker = QueueMode['workers'][number];

/** How to end what was started, in that order. */
const ends: Array<() => Promise<void>> = [];

function started<T extends { stop(): Promise<void> }>(server: T): T {
	ends.push(server.stop);
	return server;
}

/**
 * Starts an n8n in queue mode, with two workers and all its workflows published, and a sandbox; Redis and PostgreSQL
 * too, unless REDIS_URL and DATABASE_URL name ones that run.
 */
export async function startQueue({ name, latencyMs, workflows, workerSettings }: Options) {
	const sandbox = await startSandbox({ faults: [{ fault: 'latency', ms: latencyMs }] });
	ends.push(sandbox.close);
	const credential = { id: 'customers', name: 'Voice Admin' };
	const workflow = [customersWorkflow(credential), ...(workflows?.(credential) ?? [])];
	const [folder, logs] = [path.join(n8n.home, name), `n8n-${name}-${n8n.version}`];
	// Of this clone: two that share a database do not take each other's tables away.
	const clone = createHash('sha256').update(n8n.home).digest('hex').slice(0, 8);
	const space = `n8n_voice_admin_${name}_${n8n.version.replaceAll('.', '_')}_${clone}`;
	const redis = process.env.REDIS_URL || started(await startRedis(path.join(folder, 'redis'))).url;
	const database = process.env.DATABASE_URL || started(await startPostgres()).url;
	const { executions } = started(await openStorage(n8n, { redis, database, name: space }));
	const settings = queueSettings({ redis, database, space, encryptionKey: randomBytes(16).toString('hex') });

	const home = await createSiblingN8n(n8n, path.join(folder, 'main'), settings);
	await importInto(home, {
		credentials: [{ ...credential, type: 'voiceAdminApi', data: credentialFor(sandbox.url) }],
		workflow,
	});
	const main = started(await startServer(home, { port: await findFreePort(), log: `${logs}-main` }));

	/** @param worker its name; another one's of this name must have ended, whose log it overwrites */
	const startWorker = async (worker: string) => {
		const port = await findFreePort();
		const health = { N8N_WORKER_SERVER_ADDRESS: '127.0.0.1', QUEUE_HEALTH_CHECK_PORT: String(port) };
		const options = { log: `${logs}-${worker}`, settings: { ...WORKER_SETTINGS, ...workerSettings, ...health } };
		const own = await createSiblingN8n(n8n, path.join(folder, worker), settings);
		const running = started(await startN8n(own, ['worker', `--concurrency=${CONCURRENCY}`], options));
		const isReady = () => isResponding(`http://127.0.0.1:${port}/healthz/readiness`);
		await waitUntil(isReady, { name: `n8n's ${worker}`, process: running, withinMs: READY_WITHIN_MS });
		const idsAfter = (what: string) =>
			[...running.readOutput().matchAll(new RegExp(`Worker ${what} execution (\\d+)`, 'g'))].map(([, id]) => id!);
		return {
			...running,
			name: worker,
			/** Ids of the executions that it began, in that order; one that it began twice is there twice. */
			started: () => idsAfter('started'),
			/** Ids of those that it has ended. */
			finished: () => idsAfter('finished'),
		};
	};

	const workers = await Promise.all(['worker-1', 'worker-2'].map(startWorker));
	await publishWorkflows(
		main,
		workflow.map(({ id }) => id),
	);
	// By address: its name may first be tried as ::1, where n8n does not listen.
	const url = main.url.replace('localhost', '127.0.0.1');
	return { queue: { url, log: main.log, executions, workers, startWorker, rest: () => signIn(main) }, sandbox };
}

/** A workflow that replies with what the node gave for each customer. Each customer carries the execution that created it. */
const customersWorkflow = (credential: Named) =>
	chainNodes({
		id: credential.id,
		name: `Add customers with ${credential.name}`,
		start: createWebhook(credential.id),
		nodes: [
			{ name: 'Items', ...CUSTOMERS },
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
	return Array.from({ length: count }, (_, list) =>
		Array.from({ length }, (__, index) => `DE${first + list * length + index}`),
	);
}

/** Calls a webhook. A caller who is told to stop waiting has no reply. */
export const post = async (...[url, body, signal]: Parameters<typeof callWebhook>) =>
	await callWebhook(url, body, signal).catch((error: unknown) => {
		if (!signal?.aborted) throw error;
		return undefined;
	});

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

/** Kills a worker and whatever it has started, and reads its log, which the next worker of its name overwrites. */
export async function kill(worker: Worker): Promise<void> {
	worker.signal('SIGKILL');
	await worker.exit;
	leaked.push(...(await findSecretsInLog(worker)));
}

/** Ends what a file of tests has started, who uses another before that, and expects no secret in any log. */
export async function endAll(queue: QueueMode | undefined): Promise<void> {
	for (const end of ends.reverse()) await end();
	if (queue) for (const each of [queue, ...queue.workers]) leaked.push(...(await findSecretsInLog(each)));
	expect(leaked).toEqual([]);
}
