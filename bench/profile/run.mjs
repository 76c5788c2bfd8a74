import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fromRoot } from '../../scripts/setup/paths.mjs';
import { step } from '../../scripts/setup/progress.mjs';
import { plan } from '../plan.mjs';
import { BENCH, updateResults } from '../results.mjs';
import { toTheStart } from '../track/measure.mjs';
import { quiet } from '../track/quiet.mjs';
import { makeWorld } from '../world.mjs';
import { printProfile } from './print.mjs';
import { summaryOf } from './summary.mjs';

/**
 * Runs this package's node once in a scenario under the CPU profiler, from the node's start to its end, and
 * shows and keeps where the time went.
 * @param {import('../../scripts/n8n/home.mjs').N8n} n8n
 * @param {{ profile: string, quick: boolean }} options profile: the scenario
 */
export async function profileNode(n8n, { profile: id, quick }) {
	const [{ scenario, rounds }] = plan({ only: [id], rounds: 1, quick });
	const run = rounds[0].find(({ entry }) => entry.peer === 'voiceAdmin' && !scenario.server);
	if (!run) {
		console.log(`Nothing to profile in ${id}: this package's node has no process of its own there.`);
		return;
	}
	const { service, track } = await makeWorld(n8n, [run]);
	const folder = path.join(BENCH, 'profiles');
	mkdirSync(folder, { recursive: true });
	const file = path.join(folder, `${n8n.version}-${id}.cpuprofile`);
	const time = await step(`${scenario.title}, n8n ${n8n.version}, under the profiler`, async () => {
		const { go } = await toTheStart(n8n, run, track, { profile: file });
		await quiet();
		await service.begin({ latency: scenario.latency, perSecond: scenario.perSecond ?? 0 });
		return (await go()).time;
	});
	track.close();
	const summary = { measuredAt: new Date().toISOString(), time, ...summaryOf(JSON.parse(readFileSync(file, 'utf8'))) };
	updateResults(n8n.version, quick, (results) => (results.profiles = { ...results.profiles, [id]: summary }));
	printProfile(summary);
	console.log(`All of it: ${fromRoot(file)} (for the Performance panel of Chrome's developer tools).`);
}
