import { type ContenderId, CONTENDERS } from '../contenders.mts';
import { type MetricId, number, percent, ratio, readMetric, spread, tableOf, withSpread } from '../metrics.mts';
import type { Results, ScenarioResult } from '../results.mts';
import { type Criterion, CRITERIA } from './criteria.mts';

type Part = string | false | undefined;

/** Paragraphs, tables and headings with an empty line between them; what is undefined is left out. */
export const paragraphs = (...parts: Part[]) => parts.filter(Boolean).join('\n\n');

/** A heading with what is below it, if anything is. */
export const section = (heading: string, ...parts: Part[]): Part => parts.some(Boolean) && paragraphs(heading, ...parts);

/** Of Markdown; undefined without rows. */
function table(head: string[], rows: string[][]): Part {
	const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return rows.length > 0 && [line(head), line(head.map((_, column) => (column === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}

/** The acceptance criteria, each with its figure and whether it holds. */
export function criteriaTable(all: Results[]): Part {
	const cell = ({ check }: Criterion, results: Results) => {
		const checked = check(results);
		return checked ? `${checked.holds ? '✓' : '✗'} ${checked.figure}` : 'not measured';
	};
	return table(['Criterion', ...all.map(({ n8n }) => `n8n ${n8n}`)], CRITERIA.map((criterion) => [criterion.text, ...all.map((results) => cell(criterion, results))]));
}

/** A scenario's tables, one for each version of n8n, below a text. */
export function scenarioTables(all: Results[], id: string, text?: string): Part {
	const measured = all.flatMap(({ n8n, scenarios: { [id]: result } }) => (result ? [{ n8n, result }] : []));
	const tables = measured.flatMap(({ n8n, result }) => {
		const { head, rows } = tableOf(result);
		return [`n8n ${n8n}`, table(head, rows)];
	});
	return measured[0] && paragraphs(`### ${measured[0].result.scenario.title}`, text, ...tables);
}

const times = (result: ScenarioResult, id: string, other: string) => withSpread(ratio(result, id, other, 'seconds'));

/** How many times as long contenders take as another one, where it was measured beside n8n's floor. */
export function timesTable(all: Results[], heading: string, contenders: ContenderId[], other: string): Part {
	const measured = all.flatMap(({ n8n, scenarios }) => Object.values(scenarios).map((result) => ({ n8n, result })));
	const beside = measured.filter(({ result }) => ['floor', other].every((wanted) => result.scenario.variants.some(({ id }) => id === wanted)));
	return table(
		[heading, ...contenders.map((id) => CONTENDERS[id].name)],
		beside.map(({ n8n, result }) => [`${result.scenario.title}, n8n ${n8n}`, ...contenders.map((id) => times(result, id, other))]),
	);
}

/** What the bound on requests in flight costs where replies are slow, and what it spares the service. */
export function boundTable(all: Results[]): Part {
	const rows = all.flatMap(({ n8n, scenarios: { 'latency-1500': result } }) => {
		if (!result) return [];
		const instead = (metric: MetricId, other: string) => ['voiceAdmin', other].map((id) => readMetric(result, id, metric).text).join(' instead of ');
		return (['httpRequest', 'plain'] as const).map((other) => [
			`n8n ${n8n}, against ${CONTENDERS[other].name}`,
			times(result, 'voiceAdmin', other),
			instead('peakInFlight', other),
			instead('sockets', other),
		]);
	});
	return table(['2,000 items at 1.5 s', 'times as long', 'the service has in flight', 'and connections to open'], rows);
}

export function installedTable(all: Results[]): Part {
	const rows = all.flatMap(({ n8n, installed }) => (installed ? [[`n8n ${n8n}`, withSpread(spread(installed.load)), `${number(installed.tarball / 1000)} kB`]] : []));
	return table(['', 'time to load, ms', 'tarball'], rows);
}

/** For the criteria that do not hold: where the time goes instead. */
export function profileSections(all: Results[]): Part {
	const sections = all.flatMap((results) => {
		const missed = CRITERIA.filter(({ check }) => check(results)?.holds === false);
		const ids = new Set(missed.flatMap(({ profile }) => profile ?? []));
		return [...ids].map((id) => profileSection(results, id, missed.filter(({ profile }) => profile === id)));
	});
	return paragraphs(...sections);
}

function profileSection({ n8n, scenarios, profiles }: Results, id: string, missed: Criterion[]): string {
	const profile = profiles?.[id];
	const whose = profile?.packages.slice(0, 6).map(({ name, time }) => `${name} ${percent(time / profile.busy)}`);
	return paragraphs(
		`### ${scenarios[id]?.scenario.title}, n8n ${n8n}`,
		`Not met: ${missed.map(({ text }) => text).join('; ')}.`,
		!profile && `Not profiled yet: \`npm run bench -- --n8n ${n8n} --profile ${id}\`.`,
		profile &&
			`Of the node's time the process is busy for ${number(profile.busy / 1000)} s and waits for the service for ${number(profile.idle / 1000)} s (under the profiler, which slows it down). Whose own code is busy: ${whose?.join(', ')}.`,
		profile &&
			table(
				['function, with all that it calls', 'of', 'share of the busy time'],
				profile.functions.slice(0, 12).map(({ name, place, time }) => [`\`${name}\``, place, percent(time / profile.busy)]),
			),
	);
}

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

export function machineTable(all: Results[]): Part {
	const each = all.map(circumstancesOf);
	return table(
		['', ...each.map(({ version }) => version)],
		[
			['Node', ...each.map(({ node }) => node)],
			['Processor', ...each.map(({ processor }) => processor)],
			['Memory', ...each.map(({ memory }) => `${number(memory / 1e9)} GB`)],
			['System', ...each.map(({ system }) => system)],
			['Measured on', ...each.map(({ days }) => days)],
			['Medians of', ...each.map(({ rounds }) => rounds)],
			['Runs begun while other programs were busy', ...each.map(({ disturbed }) => disturbed)],
		],
	);
}
