import { readable, step } from '../scripts/setup/progress.mjs';
import { runRoundInServer } from './crowd/measure.mjs';
import { measureInstalled } from './installed/measure.mjs';
import { thisMachine } from './machine.mjs';
import { INSTALLED } from './options.mjs';
import { plan } from './plan.mjs';
import { updateResults } from './results.mjs';
import { printScenario } from './table.mjs';
import { runRound } from './track/round.mjs';
import { makeWorld } from './world.mjs';

/**
 * Measures the chosen scenarios, prints each one's table and keeps it at once: who stops the run loses only
 * the scenario that is under way.
 * @param {import('../scripts/n8n/home.mjs').N8n} n8n
 * @param {ReturnType<typeof import('./options.mjs').readBenchOptions>} options
 */
export async function measureAll(n8n, options) {
	const started = Date.now();
	const machine = thisMachine(n8n.node);
	const scenarios = plan(options);
	const world = await makeWorld(n8n, scenarios.flatMap(({ rounds }) => rounds.flat()));
	for (const { id, scenario, rounds } of scenarios) {
		const result = { measuredAt: new Date().toISOString(), machine, scenario, rounds: [] };
		await step(`${scenario.title}, n8n ${n8n.version}`, async (report) => {
			const run = scenario.server ? runRoundInServer : runRound;
			for (const runs of rounds) result.rounds.push(await run(runs, world, report));
		});
		updateResults(n8n.version, options.quick, ({ scenarios: all }) => (all[id] = result));
		printScenario(result);
	}
	if (options.only.length === 0 || options.only.includes(INSTALLED)) {
		const installed = await step('The cost of being installed', () => measureInstalled(n8n));
		updateResults(n8n.version, options.quick, (results) => (results.installed = installed));
	}
	world.track.close();
	console.log(`\nIt took ${readable(Date.now() - started)}. npm run bench -- --report${options.quick ? ' --quick' : ''} shows all results together.`);
}
