import { N8N_VERSIONS } from '../../scripts/install/n8nVersions.mts';
import { number, ratio, summaryOf, withSpread } from '../metrics.mts';
import type { Results, ScenarioResult } from '../results.mts';
import { SCENARIOS } from '../scenarios.mts';
import { CRITERIA } from './criteria.mts';

/** Where the figures of every variant are, beside the page. */
export const FIGURES = 'benchmarks.json';

/** Markdown. @param plots of each plot, by its name */
export function document(all: Results[], plots: Record<string, string>): string {
	const onRequest = Object.keys(SCENARIOS).filter((id) => SCENARIOS[id]?.onRequest);
	const commands = N8N_VERSIONS.map(({ version }) => `npm run bench -- --n8n ${version}`);
	return `# Benchmarks

<!-- Written by npm run bench -- --report. Changes by hand are lost. -->

This page compares the node with its alternatives: n8n's HTTP Request node with the same credential, and a plain declarative node, written as n8n's starter and documentation would have it ([bench/contenders.mts](../bench/contenders.mts)). Beside them runs n8n's floor: a node that calls n8n's own \`httpRequest\` for each item, with 100 in flight, and does nothing else ([its code](../bench/n8n-nodes-bench-harness/nodes/Floor.node.js)). All run in a real n8n, in turn, against the same service on the same machine. Ratios are taken within a round; a figure is the median of the rounds, with the lowest and the highest in brackets. [${FIGURES}](${FIGURES}) has the figures of every variant.

${plots.throughput ?? ''}

## Criteria

${table(['Criterion', ...all.map(({ n8n }) => `n8n ${n8n}`)], CRITERIA.map(({ text, check }) => [text, ...all.map((results) => cell(check(results)))]))}

- **What a criterion compares** is this node with the HTTP Request node, with n8n's defaults for both, unless it says otherwise. *1,000 items and 50 ms*: the service takes 50 ms for each reply.
${comparisons(all)}
- **Behind the limit** the service has a token bucket of 100, which gets 100 a second, and answers 429 with \`Retry-After\` above that. All nodes are set to **On Error: Continue**, so that what is lost can be counted. The ideal time is what the limit alone would take; where each of 1,000 executions has one item, n8n itself takes longer to begin and end them.

${plots.limiter ?? ''}

## How to repeat it

\`\`\`bash
${[...commands, ...onRequest.map((id) => `npm run bench -- --only ${id}`), 'npm run bench -- --report'].join('\n')}
\`\`\`

The machine should have nothing else to do. \`npm run bench -- --quick\` is a look at everything in a few minutes, and \`--help\` lists the rest.

- **Node time** is what n8n notes for the node (\`executionTime\`). Each run is an n8n process of its own (\`n8n execute\`), so that its peak memory is that of one run; concurrent executions run in one n8n server instead, and their time goes from the first webhook call to the end of the last reply.
- **Cold** means a credential that has never been used; **warm** one that has been used before: n8n has stored a valid token in the plain node's then. The token of this package's credential is never stored, so this node and the HTTP Request node log in once in every run.
- **The service** is Node's http in a process of its own ([bench/processes/service.mts](../bench/processes/service.mts)). The sandbox, which checks every request against the API's description, would cost more than what is measured.
- **Health checks** ask for n8n's \`/healthz\` every 20 ms, on connections that are open already, while a webhook has one execution run. n8n runs all executions of a process, its editor and its webhooks on one thread: while a node computes, everybody else waits.

${machineTable(all)}
`;
}

/** How fast a node can be at all, and where this one is slower: beside the criteria, which do not say it. */
function comparisons(all: Results[]): string {
	const times = (scenario: string, of: string, other: string) =>
		all.flatMap(({ n8n, scenarios: { [scenario]: result } }) => (result ? [`${withSpread(ratio(result, of, other, 'seconds'))} on n8n ${n8n}`] : [])).join(' and ');
	return `- **How far a node can get**: the HTTP Request node takes ${times('get-warm', 'httpRequest', 'floor')} times as long as the floor for a gateway.
- **Where this node is slower**: 2,000 items take ${times('slow-replies', 'voiceAdmin', 'httpRequest')} times as long as with the HTTP Request node if each reply takes 1.5 s. That node sends all items at once, and this one has no more than **Max Concurrency** (200) in flight.`;
}

/** A scenario's figures by n8n, scenario and variant, as [median, lowest, highest] of the rounds: one line for each variant. */
export function figures(all: Results[]): string {
	const ofScenario = (result: ScenarioResult) => result.scenario.variants.map((variant) => `\t\t\t${JSON.stringify(variant.name)}: ${JSON.stringify(summaryOf(result, variant.id))}`);
	const block = (tabs: string, name: string, lines: string[]) => `${tabs}${JSON.stringify(name)}: {\n${lines.join(',\n')}\n${tabs}}`;
	const ofVersion = ({ n8n, scenarios }: Results) => block('\t', `n8n ${n8n}`, Object.values(scenarios).map((result) => block('\t\t', result.scenario.title, ofScenario(result))));
	return `{\n${all.map(ofVersion).join(',\n')}\n}\n`;
}

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}

const cell = (checked: { holds: boolean; figure: string } | undefined) => (checked ? `${checked.holds ? '✓' : '✗'} ${checked.figure}` : 'not measured');

/** Where and when results were measured: the first and the last of the days, and the fewest and most rounds. */
function circumstancesOf({ n8n, scenarios }: Results) {
	const results = Object.values(scenarios) as [ScenarioResult, ...ScenarioResult[]];
	const range = (values: Array<string | number>) => [...new Set([values[0], values.at(-1)])].join(' to ');
	const rounds = results.map((result) => result.rounds.length).sort((a, b) => a - b);
	const runs = results.flatMap((result) => result.rounds.flatMap((round) => Object.values(round)));
	const { processor, cores, ...machine } = results[0].machine;
	return {
		...machine,
		version: `n8n ${n8n}`,
		processor: `${processor}, ${cores} cores`,
		days: range(results.map(({ measuredAt }) => measuredAt.slice(0, 10)).sort()),
		rounds: `${range(rounds)} ${rounds.at(-1) === 1 ? 'round' : 'rounds'}`,
		disturbed: `${number(runs.filter(({ wasIdle }) => !wasIdle).length)} of ${number(runs.length)}`,
	};
}

/** The lines below a plot's title: two, as a plot is as wide as its longest. */
export function circumstances(all: Results[]): string[] {
	const each = all.map(circumstancesOf);
	const versions = each.map(({ version, node }) => `${version} on Node ${node}`).join(', ');
	return [`${versions}; medians of ${each[0]?.rounds}`, `${each[0]?.processor}; ${each.at(-1)?.days}`];
}

function machineTable(all: Results[]): string {
	const each = all.map(circumstancesOf);
	return table(
		['Measured', ...each.map(({ version }) => `with ${version}`)],
		[
			['Node', ...each.map(({ node }) => node)],
			['Processor', ...each.map(({ processor }) => processor)],
			['Memory', ...each.map(({ memory }) => `${number(memory / 1e9)} GB`)],
			['System', ...each.map(({ system }) => system)],
			['On', ...each.map(({ days }) => days)],
			['Rounds of each scenario', ...each.map(({ rounds }) => rounds)],
			['Runs begun while other programs were busy', ...each.map(({ disturbed }) => disturbed)],
		],
	);
}
