import path from 'node:path';
import { type N8n, n8nAt } from '../scripts/n8n/home.mts';
import { defineCommand } from '../scripts/commands/command.mts';
import { takeLock } from '../scripts/bootstrap/lock.mjs';
import { plainTable } from '../scripts/commands/table.mts';
import { readable, step } from '../scripts/bootstrap/progress.mjs';
import { chooseRuntime, prepare } from '../scripts/install/runtime.mts';
import { makeFixture } from './harness/fixture.mts';
import { measureInstalled } from './harness/installed.mts';
import { runRound } from './harness/round.mts';
import { tableOf } from './metrics.mts';
import { type BenchOptions, INSTALLED, NOTES, OPTIONS, SUMMARY } from './options.mts';
import { plan } from './plan.mts';
import { BENCH, type ScenarioResult, thisMachine, updateResults } from './results.mts';

export const bench = defineCommand({
	name: 'npm run bench',
	summary: SUMMARY,
	options: OPTIONS,
	notes: NOTES,
	async run(options) {
		if (options.report) {
			// Imported late: to load what draws takes a second.
			const { writeReport } = await import('./report/write.mts');
			await writeReport(options.quick);
			return;
		}
		const choice = chooseRuntime(options.n8n);
		await takeLock('npm run bench', 'bench');
		const installed = await prepare(choice);
		const n8n = n8nAt(installed, path.join(BENCH, `n8n-${installed.version}`));
		await measureAll(n8n, options);
	},
});

/** Measures the chosen scenarios, prints and keeps each one's result at once: who stops the run loses only the scenario that is under way. */
async function measureAll(n8n: N8n, options: BenchOptions): Promise<void> {
	const started = Date.now();
	const machine = thisMachine(n8n.node);
	const scenarios = plan(options);
	const fixture = await makeFixture(n8n, scenarios.flatMap(({ rounds }) => rounds.flat()));
	for (const planned of scenarios) {
		const { id, scenario } = planned;
		const result: ScenarioResult = { measuredAt: new Date().toISOString(), machine, scenario, rounds: [] };
		await step(`${scenario.title}, n8n ${n8n.version}`, async (report) => {
			for (const round of planned.rounds.keys()) result.rounds.push(await runRound(planned, round, fixture, report));
		});
		updateResults(n8n.version, options.quick, (results) => (results.scenarios[id] = result));
		printResult(result);
	}
	if (options.only.length === 0 || options.only.includes(INSTALLED)) {
		const installed = await step('The cost of being installed', () => measureInstalled(n8n));
		updateResults(n8n.version, options.quick, (results) => (results.installed = installed));
	}
	fixture.turns.close();
	console.log(`\nIt took ${readable(Date.now() - started)}. npm run bench -- --report${options.quick ? ' --quick' : ''} shows all results together.`);
}

function printResult(result: ScenarioResult): void {
	const { head, rows } = tableOf(result);
	console.log(plainTable(head, rows));
	const errors = result.rounds.flatMap((round) => Object.entries(round).flatMap(([id, { error }]) => (error ? [`${id}: ${error}`] : [])));
	for (const line of new Set(errors)) console.log(`  ! ${line}`);
}
