import { measureLimit } from '../limit/measure.mjs';
import { toTheStart } from './measure.mjs';
import { quiet } from './quiet.mjs';

/** n8n processes that are started side by side; each takes some 300 MB and, while it starts, a core. */
const AT_ONCE = 4;

/**
 * Runs the entries of one round, one after the other.
 * @param {import('../plan.mjs').Run[]} runs
 * @param {{ n8n: import('../../scripts/n8n/home.mjs').N8n, service: Awaited<ReturnType<typeof import('../service/process.mjs').startService>>,
 *   track: Awaited<ReturnType<typeof import('./starter.mjs').openTrack>> }} world
 * @param {(now: string) => void} report
 * @returns {Promise<Record<string, import('./measure.mjs').Measurement>>} by the entry's id
 */
export async function runRound(runs, world, report) {
	const results = {};
	for (let from = 0; from < runs.length; ) {
		const together = upTo(AT_ONCE, runs.slice(from));
		report(`round ${runs[0].round}: starting n8n`);
		const atTheStart = await Promise.all(together.map((run) => (run.entry.peer ? toTheStart(world.n8n, run, world.track) : bare(run, world))));
		for (const [index, run] of together.entries()) {
			report(`round ${run.round}: ${run.entry.name}`);
			results[run.entry.id] = await measure(run, atTheStart[index], world);
		}
		from += together.length;
	}
	return results;
}

/** The first runs, as many as have so many n8n processes among them. */
function upTo(processes, runs) {
	let count = 0;
	const end = runs.findIndex(({ entry }) => entry.peer && ++count > processes);
	return end === -1 ? runs : runs.slice(0, end);
}

const bare = ({ scenario, entry }, { n8n, service }) => ({
	go: () => measureLimit(n8n.node.bin, { url: service.url, token: service.token, items: entry.items ?? scenario.items, inFlight: entry.inFlight }),
});

async function measure({ scenario, entry }, { go }, { service }) {
	const wasQuiet = await quiet();
	await service.begin({ latency: scenario.latency, perSecond: scenario.perSecond ?? 0 });
	const measured = await go();
	return { items: entry.countriesOfOneItem ?? entry.items ?? scenario.items, wasQuiet, ...measured, service: await service.counters() };
}
