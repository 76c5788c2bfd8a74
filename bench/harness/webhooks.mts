import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { importInto } from '../../scripts/n8n/cli.mts';
import { type N8n, n8nLike } from '../../scripts/n8n/home.mts';
import { startQueueMode } from '../../test/support/queue/queueMode.mts';
import { publishWorkflows, serveEditor } from '../../scripts/n8n/server.mts';
import { anyFreePort } from '../../scripts/servers/ports.mts';
import type { Outcome } from '../results.mts';
import type { Service } from './execute.mts';
import { contentOf, type Run, warmUp } from './workflows.mts';

/** Ids of single items: beyond those of the others. */
const FIRST_SINGLE = 1_000_000;

/** How long n8n's health is asked where nothing is executed. */
const IDLE_MS = 10_000;

/**
 * Connections to n8n that health checks use in turn: with a new one for each they would wait for one another, as Node
 * accepts one in a turn of its event loop.
 */
const CONNECTIONS = 100;

/**
 * Starts an n8n server for the runs of one round: a new one, as one that was called too often has executions left that
 * never end.
 * @param name of its folder
 */
export async function startWebhooks(n8n: N8n, service: Service, name: string, runs: Run[]) {
	const setup = runs[0]?.scenario.server;
	const warmUps = [warmUp('voiceAdmin', setup), warmUp('httpRequest', setup)];
	const all = [...warmUps, ...runs];
	const server = await startServer(n8n, path.join(n8n.home, 'servers', name), contentOf(all, service.url), setup?.workers);
	await publishWorkflows(server, all.map(({ workflow }) => workflow));
	await service.begin({ latency: 0 });
	const webhook = ({ workflow }: Run) => `${server.url}/webhook/${workflow}`;
	// So many at once that every worker has some.
	for (const run of warmUps) await callAll(webhook(run), 10, 10);
	const go = (run: Run) => (run.scenario.healthEveryMs ? callAndAskHealth(server.url, webhook(run), run) : callRun(webhook(run), run));
	return { go, stop: server.stop };
}

async function startServer(n8n: N8n, folder: string, content: ReturnType<typeof contentOf>, workers?: number) {
	const name = `n8n_voice_admin_bench_${n8n.version.replaceAll('.', '_')}`;
	if (workers) return await startQueueMode({ n8n, folder, name, content, workers, log: 'bench' });
	const main = await n8nLike(n8n, folder, n8n.settings);
	await importInto(main, content);
	const port = await anyFreePort();
	return { ...(await serveEditor(main, { port, log: 'bench-main' })), url: `http://127.0.0.1:${port}` };
}

async function callRun(url: string, { scenario, variant: { executions = 1, items = 1 } }: Run): Promise<Outcome> {
	const { perSecond, singleEveryMs } = scenario;
	const started = performance.now();
	const bulk = callAll(url, executions, items).then((calls) => ({ calls, time: performance.now() - started }));
	const singles = singleEveryMs ? await repeatUntil(bulk, singleEveryMs, (n) => callOnce(url, FIRST_SINGLE + n, 1)) : [];
	const { calls, time } = await bulk;
	return {
		time,
		items: executions * items + singles.length,
		good: [...calls, ...singles].reduce((sum, call) => sum + call.good, 0),
		// The first second's worth passes at once.
		ideal: perSecond && ((executions * items - perSecond) / perSecond) * 1000,
		...(singleEveryMs && { singles: singles.map(({ ms }) => ms) }),
	};
}

const callAll = (url: string, executions: number, items: number) =>
	Promise.all(Array.from({ length: executions }, (_, n) => callOnce(url, n * items + 1, items)));

/**
 * Has one execution run, or none for some seconds, and asks for n8n's health meanwhile: in time, as this process does
 * nothing else.
 */
async function callAndAskHealth(server: string, url: string, { scenario, variant: { items } }: Run): Promise<Outcome> {
	const agent = new http.Agent({ keepAlive: true, scheduling: 'fifo' });
	await Promise.all(Array.from({ length: CONNECTIONS }, () => askHealth(server, agent)));
	const started = performance.now();
	const ended = (items === 0 ? sleep(IDLE_MS, []) : post(url, {})).then((given) => ({ given, time: performance.now() - started }));
	const healthChecks = await repeatUntil(ended, scenario.healthEveryMs!, () => askHealth(server, agent));
	agent.destroy();
	const { given, time } = await ended;
	return { time, good: Number(given[0]?.good ?? 0), healthChecks };
}

/** @returns ms until the answer */
async function askHealth(server: string, agent: http.Agent): Promise<number> {
	const started = performance.now();
	const [answer] = (await once(http.get(`${server}/healthz`, { agent }), 'response')) as [http.IncomingMessage];
	await once(answer.resume(), 'end');
	return performance.now() - started;
}

/** Calls at intervals until something else has ended; none waits for the one before. */
async function repeatUntil<T>(end: Promise<unknown>, intervalMs: number, call: (n: number) => Promise<T>): Promise<T[]> {
	const started = performance.now();
	const hasEnded = end.then(() => true);
	const calls: Array<Promise<T>> = [];
	do calls.push(call(calls.length));
	while (!(await Promise.race([hasEnded, sleep(started + calls.length * intervalMs - performance.now(), false)])));
	return await Promise.all(calls);
}

/** Calls a webhook with items that no other call has. @returns ms: until the whole reply was there; good: items with a result */
async function callOnce(url: string, first: number, items: number): Promise<Record<'ms' | 'good', number>> {
	const ids = Array.from({ length: items }, (_, n) => first + n);
	const started = performance.now();
	const given = await post(url, { items: ids.map((id) => ({ id })) });
	const ms = performance.now() - started;
	const results = new Set(given.map(({ id }) => Number(id)));
	return { ms, good: ids.filter((id) => results.has(id)).length };
}

/** @returns no items for an error of n8n */
async function post(url: string, body: object): Promise<Array<{ id?: unknown; good?: unknown }>> {
	try {
		const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
		const content: unknown = await reply.json();
		return reply.ok && Array.isArray(content) ? content : [];
	} catch {
		return [];
	}
}
