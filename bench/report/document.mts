import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../scripts/bootstrap/failure.mjs';
import { fromRoot, ROOT } from '../../scripts/bootstrap/paths.mjs';
import { N8N_VERSIONS } from '../../scripts/install/n8nVersions.mts';
import { metricOf, formatNumber, readResults, type Results, summaryOf, formatSpread } from '../results.mts';
import { COMPARISONS } from './comparisons.mts';

const DOCS = path.join(ROOT, 'docs');
/** Only the text between its comments is generated. */
const PAGE = 'benchmarks.md';
const BLOCK = /(?<=<!-- (\w+): written by npm run bench -- --report -->\n)[^]*?(?=<!-- end -->)/g;

/** Writes the saved results into docs/benchmarks.md and docs/benchmarks.json. */
export async function writeReport(): Promise<void> {
	const all = N8N_VERSIONS.map(({ version }) => readResults(version)).filter(
		({ scenarios }) => Object.keys(scenarios).length > 0,
	);
	if (all.length === 0) throw new Failure('There are no results to report: run npm run bench first.');
	const blocks: Record<string, string> = { plot: plot(all), comparisons: comparisons(all), machine: machine(all) };
	const page = readFileSync(path.join(DOCS, PAGE), 'utf8');
	writeFileSync(
		path.join(DOCS, PAGE),
		page.replace(BLOCK, (_, id: string) => blocks[id] ?? ''),
	);
	writeFileSync(path.join(DOCS, 'benchmarks.json'), figures(all));
	console.log(`Written: ${fromRoot(path.join(DOCS, PAGE))} and benchmarks.json beside it.`);
}

/** A Mermaid chart of the items per second of each variant on each n8n. */
function plot(all: Results[]): string {
	const bars = all.flatMap(({ n8n, scenarios: { get } }) =>
		(get?.scenario.variants ?? []).map(({ id, name }) => ({
			name: `"${name}, n8n ${n8n}"`,
			value: Math.round(metricOf(get!, id, 'throughput').median),
		})),
	);
	if (bars.length === 0) return '';
	const [names, values] = [bars.map(({ name }) => name), bars.map(({ value }) => value)];
	const chart = [
		'xychart-beta horizontal',
		`x-axis [${names.join()}]`,
		`y-axis "Items a second, Get" 0 --> ${Math.max(...values)}`,
		`bar [${values.join()}]`,
	];
	return `\`\`\`mermaid\n${chart.join('\n')}\n\`\`\`\n`;
}

function comparisons(all: Results[]): string {
	const rows = COMPARISONS.map(([text, figure]) => [
		text,
		...all.map((results) => {
			const value = figure(results);
			return value && Number.isFinite(value.median) ? formatSpread(value) : 'not measured';
		}),
	]);
	return table(['Figure', ...all.map(({ n8n }) => `n8n ${n8n}`)], rows);
}

/** By n8n, scenario and variant: [median, lowest, highest] of the rounds. */
function figures(all: Results[]): string {
	const tree: Record<string, Record<string, object>> = {};
	for (const { n8n, scenarios } of all) {
		for (const result of Object.values(scenarios)) {
			const { title, variants } = result.scenario;
			(tree[`n8n ${n8n}`] ??= {})[title] = Object.fromEntries(
				variants.map(({ id, name }) => [name, summaryOf(result, id)]),
			);
		}
	}
	// One line per metric.
	return `${JSON.stringify(tree, null, '\t').replace(/\[[^\]]+\]/g, (list) => list.replace(/\s+/g, ''))}\n`;
}

/** For each n8n: the machine, the first and last day of its measurements, and the fewest and most rounds. */
function machine(all: Results[]): string {
	const lines = all.map(({ n8n, scenarios }) => {
		const results = Object.values(scenarios);
		const range = (values: Array<string | number>) => [...new Set([values[0], values.at(-1)])].join(' to ');
		const { processor, cores, memory, node, system } = results[0]!.machine;
		const days = range(results.map(({ measuredAt }) => measuredAt.slice(0, 10)).sort());
		const rounds = range(results.map(({ rounds }) => rounds.length).sort((a, b) => a - b));
		return `- n8n ${n8n}: Node ${node}, ${processor}, ${cores} cores, ${formatNumber(memory / 1e9)} GB, ${system}; ${days}, ${rounds} rounds\n`;
	});
	return lines.join('');
}

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`;
	return [head, head.map((_, column) => (column === 0 ? '---' : '--:')), ...rows].map(line).join('');
}
