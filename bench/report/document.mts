import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../scripts/bootstrap/failure.mjs';
import { fromRoot, ROOT } from '../../scripts/bootstrap/paths.mjs';
import { N8N_VERSIONS } from '../../scripts/install/n8nVersions.mts';
import { number, ratio, summaryOf, withSpread } from '../metrics.mts';
import { BENCH, readResults, type Results, type ScenarioResult } from '../results.mts';
import { SCENARIOS } from '../scenarios.mts';
import { CRITERIA } from './criteria.mts';
import { drawPlots } from './plots.mts';

const DOCS = path.join(ROOT, 'docs');
/** The page, whose words are its own: only what stands between its comments is written here. */
const PAGE = 'benchmarks.md';
/** The figures of every variant, beside it. */
const FIGURES = 'benchmarks.json';
const BLOCK = /(?<=<!-- (\w+): written by npm run bench -- --report -->\n)[^]*?(?=<!-- end -->)/g;

/** Writes figures and plots of the results that are there into the page; those of --quick into a copy. */
export async function writeReport(quick: boolean): Promise<void> {
	const read = N8N_VERSIONS.map(({ version }) => known(readResults(version, quick)));
	const all = read.filter(({ scenarios }) => Object.keys(scenarios).length > 0);
	if (all.length === 0) throw new Failure(`There are no results to report: npm run bench${quick ? ' -- --quick' : ''} first.`);
	const folder = quick ? path.join(BENCH, 'quick-report') : DOCS;
	mkdirSync(path.join(folder, 'images'), { recursive: true });
	const blocks: Record<string, string> = { criteria: criteria(all), comparisons: comparisons(all), machine: machine(all) };
	for (const { id, alt, svg } of drawPlots(all, circumstances(all))) {
		writeFileSync(path.join(folder, 'images', `benchmarks-${id}.svg`), svg);
		blocks[id] = `![${alt}](images/benchmarks-${id}.svg)\n`;
	}
	const page = readFileSync(path.join(DOCS, PAGE), 'utf8').replace(BLOCK, (_, id: string) => blocks[id] ?? '');
	const title = `# Benchmarks\n\n> Of \`--quick\`: one round with a tenth of the items. It shows that everything runs, and is no result.\n`;
	writeFileSync(path.join(folder, PAGE), quick ? page.replace('# Benchmarks\n', title) : page);
	writeFileSync(path.join(folder, FIGURES), figures(all));
	console.log(`Written: ${fromRoot(path.join(folder, PAGE))}, ${FIGURES} and the plots beside it.`);
	for (const { version } of N8N_VERSIONS) {
		if (!all.some(({ n8n }) => n8n === version)) console.log(`n8n ${version} is missing in it: npm run bench -- --n8n ${version}`);
	}
}

/** Without scenarios that are gone. */
function known({ n8n, scenarios }: Results): Results {
	return { n8n, scenarios: Object.fromEntries(Object.entries(scenarios).filter(([id]) => id in SCENARIOS)) };
}

function criteria(all: Results[]): string {
	const rows = CRITERIA.map(({ text, check }) => {
		const checked = all.map((results) => check(results));
		return [text, ...checked.map((each) => (each ? `${each.holds ? '✓' : '✗'} ${each.figure}` : 'not measured'))];
	});
	return table(['Criterion', ...all.map(({ n8n }) => `n8n ${n8n}`)], rows);
}

/** How fast a node can be at all, and where this one is slower: beside the criteria, which do not say it. */
function comparisons(all: Results[]): string {
	const bullet = (title: string, scenario: string, variant: string, other: string, sentence: (times: string) => string) => {
		const measured = all.filter(({ scenarios }) => scenarios[scenario]);
		const times = measured.map(({ n8n, scenarios }) => `${withSpread(ratio(scenarios[scenario]!, variant, other, 'seconds'))} on n8n ${n8n}`);
		return times.length > 0 ? `- **${title}**: ${sentence(`${times.join(' and ')} times as long`)}\n` : '';
	};
	const [floor, slower] = ['How far a node can get', 'Where this node is slower'];
	return (
		bullet(floor, 'get-warm', 'httpRequest', 'floor', (times) => `the HTTP Request node takes ${times} as the floor for a gateway.`) +
		bullet(slower, 'slow-replies', 'voiceAdmin', 'httpRequest', (times) =>
			`2,000 items take ${times} as with the HTTP Request node if each reply takes 1.5 s. ` +
			'That node sends all items at once, and this one has no more than **Max Concurrency** (200) in flight.')
	);
}

/** By n8n, scenario and variant, as [median, lowest, highest] of the rounds: one line for each variant. */
function figures(all: Results[]): string {
	const block = (tabs: string, name: string, lines: string[]) => `${tabs}${JSON.stringify(name)}: {\n${lines.join(',\n')}\n${tabs}}`;
	const ofScenario = (result: ScenarioResult) => {
		const line = ({ id, name }: { id: string; name: string }) => `\t\t\t${JSON.stringify(name)}: ${JSON.stringify(summaryOf(result, id))}`;
		return block('\t\t', result.scenario.title, result.scenario.variants.map(line));
	};
	const versions = all.map(({ n8n, scenarios }) => block('\t', `n8n ${n8n}`, Object.values(scenarios).map(ofScenario)));
	return `{\n${versions.join(',\n')}\n}\n`;
}

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`;
	return [head, head.map((_, column) => (column === 0 ? '---' : '--:')), ...rows].map(line).join('');
}

/** Where and when results were measured: the first and the last of the days, and the fewest and most rounds. */
function circumstancesOf({ n8n, scenarios }: Results) {
	const results = Object.values(scenarios) as [ScenarioResult, ...ScenarioResult[]];
	const range = (values: Array<string | number>) => [...new Set([values[0], values.at(-1)])].join(' to ');
	const rounds = results.map((result) => result.rounds.length).sort((a, b) => a - b);
	const { processor, cores, memory, node, system } = results[0].machine;
	return {
		version: `n8n ${n8n}`,
		Node: node,
		Processor: `${processor}, ${cores} cores`,
		Memory: `${number(memory / 1e9)} GB`,
		System: system,
		On: range(results.map(({ measuredAt }) => measuredAt.slice(0, 10)).sort()),
		'Rounds of each scenario': `${range(rounds)} ${rounds.at(-1) === 1 ? 'round' : 'rounds'}`,
	};
}

/** The lines below a plot's title. */
function circumstances(all: Results[]): string[] {
	const each = all.map(circumstancesOf);
	const versions = each.map(({ version, Node }) => `${version} on Node ${Node}`).join(', ');
	return [`${versions}; medians of ${each[0]?.['Rounds of each scenario']}`, `${each[0]?.Processor}; ${each.at(-1)?.On}`];
}

function machine(all: Results[]): string {
	const [first, ...others] = all.map((results) => Object.entries(circumstancesOf(results)));
	const rows = first!.map(([name, value], row) => [name, value, ...others.map((other) => other[row]![1])]);
	const [[, ...versions] = []] = rows;
	return table(['Measured', ...versions.map((version) => `with ${version}`)], rows.slice(1));
}
