import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from '../scripts/bootstrap/lock.mjs';
import { CACHE, ROOT } from '../scripts/bootstrap/paths.mjs';
import { formatDuration, runStep } from '../scripts/bootstrap/progress.mjs';
import { createListOption, createNumberParser, createProgram, defineCommand } from '../scripts/commands/command.mts';
import { createN8nOption } from '../scripts/install/n8nVersions.mts';
import { chooseRuntime, ensureRuntime } from '../scripts/install/runtime.mts';
import { buildTarball } from '../scripts/install/package.mts';
import { importInto } from '../scripts/n8n/cli.mts';
import { type N8nInstance, unpackIntoN8n } from '../scripts/n8n/home.mts';
import { execute, type Service, startService, startWebhookServer } from './harness/runs.mts';
import { type Run, createImportContent, createRun } from './harness/workflows.mts';
import { compare, type Measurement, summarize } from './results.mts';
import { type Scenario, SCENARIOS, type Variant } from './scenarios.mts';

const N8N_SETTINGS = {
	// The folder of the harness node.
	N8N_CUSTOM_EXTENSIONS: path.join(ROOT, 'bench', 'harness'),
	// So that n8n doesn't start a task runner for Code nodes, which no workflow here has.
	N8N_RUNNERS_MODE: 'external',
	N8N_RUNNERS_AUTH_TOKEN: 'unused',
};

/** Lets the server finish what the previous run has left to do. */
const BETWEEN_RUNS_MS = 3_000;

export const bench = defineCommand(
	createProgram(
		'npm run bench',
		`Measures this package's node, n8n's HTTP Request node and httpRequest alone (a node that does the minimum) in a real
n8n, one after another, against a service that counts requests. Prints medians, with the lowest and highest of the rounds, and
this node's values divided by the others'.`,
	)
		.addOption(createN8nOption())
		.addOption(createListOption('--only <SCENARIO>', 'only this scenario; repeatable', Object.keys(SCENARIOS)))
		.option('--rounds <N>', 'number of runs of everything', createNumberParser(1, 999), 5)
		.addHelpText(
			'after',
			`\nScenarios\n${Object.entries(SCENARIOS)
				.map(([id, { title }]) => `  ${id.padEnd(15)}  ${title}`)
				.join('\n')}`,
		),
	async (options) => {
		const choice = chooseRuntime(options.n8n);
		await takeLock('npm run bench', 'bench');
		const tarball = await buildTarball('bench');
		const installed = await ensureRuntime(choice);
		const home = path.join(CACHE, 'bench', `n8n-${installed.version}`);
		const n8n = { ...installed, home, settings: N8N_SETTINGS };
		await rm(home, { recursive: true, force: true });
		await unpackIntoN8n(n8n, tarball);
		await measureAll(n8n, options);
	},
);

/** Measures the chosen scenarios. Each result is printed at once. */
async function measureAll(n8n: N8nInstance, { only, rounds }: { only: string[]; rounds: number }): Promise<void> {
	const startedAt = Date.now();
	const scenarios = Object.entries(SCENARIOS).filter(([id]) => only.length === 0 || only.includes(id));
	const plans = scenarios.map(([id, scenario]) => {
		const createRuns = (round: number) =>
			scenario.variants.map((variant, index) => createRun(`${id}-${index + 1}`, round, scenario, variant));
		return { id, scenario, rounds: Array.from({ length: rounds }, (_, index) => createRuns(index + 1)) };
	});
	const service = await startService(n8n.node.bin);
	const runs = plans.flatMap((each) => each.rounds.flat());
	const content = createImportContent(
		runs.filter(({ scenario: { inServer } }) => !inServer),
		service.url,
	);
	await runStep('Importing the workflows into n8n', () => importInto(n8n, content));
	for (const { id, scenario, rounds: scenarioRounds } of plans) {
		const results: Array<Record<string, Measurement>> = [];
		await runStep(`${scenario.title}, n8n ${n8n.version}`, async () => {
			for (const [index, round] of scenarioRounds.entries()) {
				results.push(await measureRound(n8n, service, `${id}-${index + 1}`, round));
			}
		});
		printResults(scenario, results);
	}
	console.log(`\nIt took ${formatDuration(Date.now() - startedAt)}.`);
}

/** Runs a scenario's variants once, one after another: all in one server, or each in its own process. */
async function measureRound(n8n: N8nInstance, service: Service, name: string, runs: Run[]) {
	const results: Record<string, Measurement> = {};
	const server = runs[0]?.scenario.inServer && (await startWebhookServer(n8n, service, name, runs));
	for (const run of runs) {
		if (server) await sleep(BETWEEN_RUNS_MS);
		const { scenario, variant } = run;
		await service.setConditions(scenario);
		const outcome = await (server ? server.run(run) : execute(n8n, run));
		results[variant.id] = { items: scenario.items, ...outcome, service: await service.counters() };
	}
	await server?.stop();
	return results;
}

/** Prints the figures of each variant, this node's ratios to the others, and the errors that stopped nodes. */
function printResults({ variants }: Scenario, rounds: Array<Record<string, Measurement>>): void {
	const roundsOf = ({ id }: Variant) => rounds.map((results) => results[id]!);
	console.table(Object.fromEntries(variants.map((variant) => [variant.name, summarize(roundsOf(variant))])));
	const isReference = ({ contender }: Variant) => contender === 'httpRequest' || contender === 'floor';
	for (const reference of variants.filter(isReference)) {
		for (const variant of variants.filter((each) => !isReference(each) && each.executions === reference.executions))
			console.log(`${variant.name} / ${reference.name}: ${compare(roundsOf(variant), roundsOf(reference))}`);
	}
	const runs = rounds.flatMap((round) => Object.entries(round));
	for (const line of new Set(runs.flatMap(([id, { error }]) => (error ? `  ! ${id}: ${error}` : []))))
		console.log(line);
}
