import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRunEnv } from '../../scripts/bootstrap/environment.mjs';
import { Failure } from '../../scripts/bootstrap/failure.mjs';
import { ROOT } from '../../scripts/bootstrap/paths.mjs';
import { startWithLog } from '../../scripts/bootstrap/processes.mjs';
import { executeWorkflow, importInto, type NodeRun } from '../../scripts/n8n/cli.mts';
import { type N8nInstance, createSiblingN8n } from '../../scripts/n8n/home.mts';
import { publishWorkflows, startServer } from '../../scripts/n8n/server.mts';
import { findFreePort } from '../../scripts/servers/ports.mts';
import { isResponding, waitUntil } from '../../scripts/servers/readiness.mts';
import type { Counters, RunResult } from '../results.mts';
import type { Conditions } from '../scenarios.mts';
import { createImportContent, FINISH_NODE, MEASURED_NODE, type Run, createWarmUpRun } from './workflows.mts';

const BETWEEN_SINGLES_MS = 250;

/** setConditions: also resets the counters */
export interface Service {
	url: string;
	setConditions: (conditions: Conditions) => Promise<void>;
	counters: () => Promise<Counters>;
}

/** Starts the service of service.mts in its own process. */
export async function startService(node: string): Promise<Service> {
	const port = await findFreePort();
	const [url, control] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port}/control`];
	const args = ['--import', 'tsx', path.join('bench', 'harness', 'service.mts'), `${port}`];
	const server = startWithLog(node, args, { log: 'bench-service', cwd: ROOT, env: createRunEnv() });
	await waitUntil(() => isResponding(control), {
		name: 'The service to measure against',
		process: server,
		withinMs: 30_000,
	});
	return {
		url,
		setConditions: async ({ latency, perSecond }) =>
			void (await fetch(control, { method: 'PUT', body: JSON.stringify({ latency, perSecond }) })),
		counters: async () => (await (await fetch(control)).json()) as Counters,
	};
}

/** executionTime: in ms */
type TimedRun = NodeRun & { executionTime: number; error?: { message: string } };

/** Runs a workflow by `n8n execute`, in its own process. @throws Failure if n8n doesn't reach the measured node */
export async function execute(n8n: N8nInstance, { workflow }: Run): Promise<RunResult> {
	const { runData, error } = await executeWorkflow(n8n, workflow, { log: `bench-${workflow}` });
	const [node, finish] = [MEASURED_NODE, FINISH_NODE].map((name) => (runData as Record<string, TimedRun[]>)[name]?.[0]);
	if (!node)
		throw new Failure(`n8n did not run the measured node of ${workflow}: ${error?.message ?? 'no reason given'}`);
	const report = finish?.data?.main?.[0]?.[0]?.json;
	if (report) return { time: node.executionTime, ...(report as Omit<RunResult, 'time'>) };
	// If the measured node stops on an error, the last node doesn't run: all items are lost.
	return { time: node.executionTime, successCount: 0, error: node.error?.message ?? error?.message };
}

/**
 * Starts an n8n server for the runs of one round: a new one each time, as an overloaded server keeps executions that never end.
 * @param name of its folder
 */
export async function startWebhookServer(n8n: N8nInstance, service: Service, name: string, runs: Run[]) {
	const warmUps = [createWarmUpRun('voiceAdmin'), createWarmUpRun('httpRequest')];
	const allRuns = [...warmUps, ...runs];
	const webhookN8n = await createSiblingN8n(n8n, path.join(n8n.home, 'servers', name), n8n.settings);
	await importInto(webhookN8n, createImportContent(allRuns, service.url));
	const port = await findFreePort();
	const server = { ...(await startServer(webhookN8n, { port, log: 'bench-main' })), url: `http://127.0.0.1:${port}` };
	const ids = allRuns.map(({ workflow }) => workflow);
	await publishWorkflows(server, ids);
	await service.setConditions({ latency: 0 });
	const webhookUrlOf = ({ workflow }: Run) => `${server.url}/webhook/${workflow}`;
	for (const run of warmUps) await callAll(webhookUrlOf(run), 10, 10);
	return { run: async (run: Run) => await callRun(webhookUrlOf(run), run), stop: server.stop };
}

async function callRun(
	url: string,
	{ scenario: { perSecond }, variant: { executions = 1, items = 1, singles: hasSingles } }: Run,
): Promise<RunResult> {
	const startedAt = performance.now();
	const batch = callAll(url, executions, items);
	const batchTime = batch.then(() => performance.now() - startedAt);
	const singles = hasSingles ? await callSingles(url, executions * items + 1, batch) : [];
	const calls = [...(await batch), ...singles.map(({ successCount }) => successCount)];
	const count = executions * items + singles.length;
	return {
		time: await batchTime,
		items: count,
		successCount: calls.reduce((sum, successCount) => sum + successCount, 0),
		// The requests of the first second pass at once.
		idealTime: perSecond && ((count - perSecond) / perSecond) * 1000,
		...(hasSingles && { singles: singles.map(({ time }) => time) }),
	};
}

/** Calls with a single item, again and again, until the others have ended. */
async function callSingles(url: string, firstId: number, batch: Promise<unknown>) {
	const singles: Array<{ successCount: number; time: number }> = [];
	let isContinuing = true;
	void batch.finally(() => (isContinuing = false));
	for (await sleep(BETWEEN_SINGLES_MS); isContinuing; await sleep(BETWEEN_SINGLES_MS)) {
		const startedAt = performance.now();
		const successCount = await callOnce(url, firstId + singles.length, 1);
		singles.push({ successCount, time: performance.now() - startedAt });
	}
	return singles;
}

const callAll = (url: string, executions: number, items: number) =>
	Promise.all(Array.from({ length: executions }, (_, n) => callOnce(url, n * items + 1, items)));

/** Calls a webhook with items of its own. @returns how many of them have a result */
async function callOnce(url: string, firstId: number, items: number): Promise<number> {
	const ids = Array.from({ length: items }, (_, n) => firstId + n);
	const request = {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ items: ids.map((id) => ({ id })) }),
	};
	const content: unknown = await fetch(url, request)
		.then(async (reply) => reply.ok && (await reply.json()))
		.catch(() => false);
	// n8n responds to an error with an object instead of a list.
	const results = new Set(Array.isArray(content) ? content.map(({ id }: { id?: unknown }) => Number(id)) : []);
	return ids.filter((id) => results.has(id)).length;
}
