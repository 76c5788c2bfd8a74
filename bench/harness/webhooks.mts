import path from 'node:path';
import { importInto } from '../../scripts/n8n/cli.mts';
import { type N8n, n8nLike } from '../../scripts/n8n/home.mts';
import { startQueueMode } from '../../scripts/n8n/queueMode.mts';
import { publishWorkflows, serveEditor } from '../../scripts/n8n/server.mts';
import { anyFreePort } from '../../scripts/servers/ports.mts';
import type { Outcome } from '../results.mts';
import type { Service } from './execute.mts';
import { contentOf, type Run, warmUp } from './workflows.mts';

/** What came of a call. good: items of which it has a result; failed: with an error of n8n */
type Call = Record<'good' | 'failed', number>;

/**
 * Starts an n8n server for the runs of one round: a new one, as one that was called too often has executions left that
 * never end.
 * @param name of its folder
 */
export async function startWebhooks(n8n: N8n, service: Service, name: string, runs: Run[]) {
	const setup = runs[0]?.scenario.server;
	const warmUps = [warmUp('voiceAdmin', setup), warmUp('httpRequest', setup)];
	const all = [...warmUps, ...runs];
	const [folder, content] = [path.join(n8n.home, 'servers', name), contentOf(all, service)];
	const server = await (setup?.workers ? startWorkers(n8n, folder, content, setup.workers) : startServer(n8n, folder, content));
	await publishWorkflows(server, all.map(({ workflow }) => workflow));
	await service.begin({ latency: 0 });
	const webhook = ({ workflow }: Run) => `${server.url}/webhook/${workflow}`;
	// So many at once that every worker has some.
	for (const run of warmUps) await callAll(webhook(run), 10, 10);
	return { go: (run: Run) => callRun(webhook(run), run), stop: server.stop };
}

type Content = ReturnType<typeof contentOf>;

function startWorkers(n8n: N8n, folder: string, content: Content, workers: number) {
	const name = `n8n_voice_admin_bench_${n8n.version.replaceAll('.', '_')}`;
	return startQueueMode({ n8n, folder, name, content, workers, log: 'bench' });
}

async function startServer(n8n: N8n, folder: string, content: Content) {
	const main = await n8nLike(n8n, folder, n8n.settings);
	await importInto(main, content);
	const port = await anyFreePort();
	return { ...(await serveEditor(main, { port, log: 'bench-main' })), url: `http://127.0.0.1:${port}` };
}

async function callRun(url: string, { scenario: { perSecond }, variant: { executions = 1, items = 1 } }: Run): Promise<Outcome> {
	const started = performance.now();
	const calls = await callAll(url, executions, items);
	const time = performance.now() - started;
	const sum = (field: keyof Call) => calls.reduce((total, call) => total + call[field], 0);
	// The first second's worth passes at once.
	const ideal = perSecond && ((executions * items - perSecond) / perSecond) * 1000;
	return { time, items: executions * items, good: sum('good'), failedCalls: sum('failed'), ideal };
}

const callAll = (url: string, executions: number, items: number) =>
	Promise.all(Array.from({ length: executions }, (_, n) => callOnce(url, n * items + 1, items)));

/** Calls a webhook with items that no other call has. */
async function callOnce(url: string, first: number, items: number): Promise<Call> {
	const ids = Array.from({ length: items }, (_, n) => first + n);
	const given = await post(url, { items: ids.map((id) => ({ id })) });
	const results = new Set(given?.map(({ id }) => Number(id)));
	return { good: ids.filter((id) => results.has(id)).length, failed: given ? 0 : 1 };
}

/** @returns undefined for an error of n8n */
async function post(url: string, body: object): Promise<Array<{ id?: unknown }> | undefined> {
	try {
		const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
		const content: unknown = await reply.json();
		return reply.ok && Array.isArray(content) ? content : undefined;
	} catch {
		return undefined;
	}
}
