import path from 'node:path';
import { importInto } from '../../scripts/n8n/cli.mts';
import { type N8n, n8nLike } from '../../scripts/n8n/home.mts';
import { publishWorkflows, serveEditor } from '../../scripts/n8n/server.mts';
import { anyFreePort } from '../../scripts/servers/ports.mts';
import type { Outcome } from '../results.mts';
import type { Service } from './execute.mts';
import { contentOf, type Run, warmUp } from './workflows.mts';

/**
 * Starts an n8n server for the runs of one round: a new one, as one that was called too often has executions left that
 * never end.
 * @param name of its folder
 */
export async function startWebhooks(n8n: N8n, service: Service, name: string, runs: Run[]) {
	const warmUps = [warmUp('voiceAdmin'), warmUp('httpRequest')];
	const all = [...warmUps, ...runs];
	const main = await n8nLike(n8n, path.join(n8n.home, 'servers', name), n8n.settings);
	await importInto(main, contentOf(all, service.url));
	const port = await anyFreePort();
	const server = { ...(await serveEditor(main, { port, log: 'bench-main' })), url: `http://127.0.0.1:${port}` };
	await publishWorkflows(server, all.map(({ workflow }) => workflow));
	await service.begin({ latency: 0 });
	const webhook = ({ workflow }: Run) => `${server.url}/webhook/${workflow}`;
	for (const run of warmUps) await callAll(webhook(run), 10, 10);
	return { go: async (run: Run) => await callRun(webhook(run), run), stop: server.stop };
}

async function callRun(url: string, { scenario: { perSecond }, variant: { executions = 1, items = 1 } }: Run): Promise<Outcome> {
	const started = performance.now();
	const calls = await callAll(url, executions, items);
	return {
		time: performance.now() - started,
		items: executions * items,
		good: calls.reduce((sum, good) => sum + good, 0),
		// The first second's worth passes at once.
		ideal: perSecond && ((executions * items - perSecond) / perSecond) * 1000,
	};
}

const callAll = (url: string, executions: number, items: number) =>
	Promise.all(Array.from({ length: executions }, (_, n) => callOnce(url, n * items + 1, items)));

/** Calls a webhook with items that no other call has. @returns how many of them have a result */
async function callOnce(url: string, first: number, items: number): Promise<number> {
	const ids = Array.from({ length: items }, (_, n) => first + n);
	const results = new Set((await post(url, { items: ids.map((id) => ({ id })) })).map(({ id }) => Number(id)));
	return ids.filter((id) => results.has(id)).length;
}

/** @returns no items for an error of n8n */
async function post(url: string, body: object): Promise<Array<{ id?: unknown }>> {
	try {
		const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
		const content: unknown = await reply.json();
		return reply.ok && Array.isArray(content) ? content : [];
	} catch {
		return [];
	}
}
