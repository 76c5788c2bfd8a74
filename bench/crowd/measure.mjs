import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { quiet } from '../track/quiet.mjs';
import { call } from './call.mjs';
import { publish } from './publish.mjs';
import { startOnPostgres, startQueue } from './queue.mjs';
import { n8nOf, startServer } from './server.mjs';
import { contentOf, WARM_UPS } from './workflow.mjs';

/** For what the run before has left to do in n8n. */
const BETWEEN_RUNS_MS = 3_000;

/** Calls of each warm-up: so many at once that every worker has some. */
const WARM_UP_CALLS = 10;
const WARM_UP_ITEMS = 10;

/** Ids of single items: beyond those of the others. */
const FIRST_SINGLE = 1_000_000;

/**
 * Runs the entries of one round, one after the other, in an n8n server that is new: one that was called too often
 * has executions left that never end.
 * @param {import('../plan.mjs').Run[]} runs
 * @param {Awaited<ReturnType<typeof import('../world.mjs').makeWorld>>} world
 * @param {(now: string) => void} report
 * @returns {Promise<Record<string, import('../track/measure.mjs').Measurement>>} by the entry's id
 */
export async function runRoundInServer(runs, { n8n, service }, report) {
	const [{ scenarioId, scenario, round }] = runs;
	report(`round ${round}: starting n8n`);
	const content = contentOf(runs, service);
	const home = path.join(n8n.home, 'servers', `${scenarioId}-${round}`);
	const server = await startFor(scenario, n8n, home, content);
	const webhook = ({ workflow }) => `${server.url}/webhook/${workflow}`;
	await publish(server, [...WARM_UPS, ...runs].map(({ workflow }) => workflow));
	await service.begin({ latency: 0, perSecond: 0 });
	for (const warmUp of WARM_UPS) await callAll(webhook(warmUp), WARM_UP_CALLS, WARM_UP_ITEMS);
	const results = {};
	for (const run of runs) {
		report(`round ${round}: ${run.entry.name}`);
		results[run.entry.id] = await measure(run, webhook(run), service);
	}
	await server.stop();
	return results;
}

async function startFor({ workers, database }, n8n, home, content) {
	if (workers) return await startQueue(n8n, home, content, workers);
	if (database) return await startOnPostgres(n8n, home, content);
	return await startServer(await n8nOf(n8n, home), content);
}

async function measure({ scenario, entry: { executions, items } }, url, service) {
	await sleep(BETWEEN_RUNS_MS);
	const wasQuiet = await quiet();
	const { latency, perSecond = 0, singleEveryMs } = scenario;
	await service.begin({ latency, perSecond });
	const started = performance.now();
	const bulk = callAll(url, executions, items).then((calls) => ({ calls, time: performance.now() - started }));
	// The first one waits until n8n has prepared all items of the others, whatever node they are for.
	const first = singleEveryMs ? await call(url, FIRST_SINGLE - 1, 1) : undefined;
	const singles = singleEveryMs ? await callUntil(bulk, url, singleEveryMs) : [];
	const { calls, time } = await bulk;
	const all = [...calls, ...(first ? [first] : []), ...singles];
	const sum = (field) => all.reduce((total, one) => total + one[field], 0);
	return {
		time,
		// The first second's worth passes at once.
		...(perSecond > 0 && { ideal: ((executions * items - perSecond) / perSecond) * 1000 }),
		wasQuiet,
		items: sum('items'),
		good: sum('good'),
		failedCalls: all.filter(({ isAnswered }) => !isAnswered).length,
		...(first && { firstSingle: first.ms, singles: singles.map(({ ms }) => ms), failedSingles: [first, ...singles].filter(({ good }) => good === 0).length }),
		service: await service.counters(),
	};
}

const callAll = (url, executions, items) => Promise.all(Array.from({ length: executions }, (_, n) => call(url, n * items + 1, items)));

/** Calls with a single item each, at intervals, until something else has ended. */
async function callUntil(end, url, intervalMs) {
	let hasEnded = false;
	const noted = end.then(() => (hasEnded = true));
	const calls = [];
	for (;;) {
		await Promise.race([noted, sleep(intervalMs)]);
		if (hasEnded) return await Promise.all(calls);
		calls.push(call(url, FIRST_SINGLE + calls.length, 1));
	}
}
