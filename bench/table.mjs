import Table from 'cli-table3';
import { figure } from './figures.mjs';
import { number, percent, withSpread } from './words.mjs';

/**
 * What a table says of each entry: the column's head, and its cell.
 * @type {Record<string, (result: import('./results.mjs').ScenarioResult, entry: string) => string>}
 */
const COLUMNS = {
	'node time, s': (result, entry) => withSpread(figure(result, entry, 'seconds')),
	'items a second': (result, entry) => number(figure(result, entry, 'throughput').median),
	logins: (result, entry) => number(figure(result, entry, 'logins').median),
	'peak in flight': (result, entry) => number(figure(result, entry, 'peakInFlight').max),
	sockets: (result, entry) => number(figure(result, entry, 'sockets').median),
	'peak memory, MB': (result, entry) => number(figure(result, entry, 'peakMemory').median),
	'processor, s': (result, entry) => number(figure(result, entry, 'cpu').median),
	'requests failed': (result, entry) => number(figure(result, entry, 'failedRequests').median),
	'items lost': (result, entry) => number(figure(result, entry, 'lost').max),
	'time, s': (result, entry) => withSpread(figure(result, entry, 'seconds')),
	'ideal, s': (result, entry) => number(figure(result, entry, 'ideal').median),
	'times the ideal': (result, entry) => withSpread(figure(result, entry, 'timesIdeal')),
	'requests wasted': (result, entry) => percent(figure(result, entry, 'rateLimited').median),
	'calls failed': (result, entry) => number(figure(result, entry, 'failedCalls').max),
	'first single item, ms': (result, entry) => withSpread(figure(result, entry, 'firstSingle')),
	'single item: median, ms': (result, entry) => withSpread(figure(result, entry, 'singleMedian')),
	'p95, ms': (result, entry) => withSpread(figure(result, entry, 'singleP95')),
	'worst, ms': (result, entry) => number(figure(result, entry, 'singleWorst').max),
	'single items failed': (result, entry) => number(figure(result, entry, 'failedSingles').max),
};

/** Those of a scenario that names none. */
const USUAL = Object.keys(COLUMNS).slice(0, Object.keys(COLUMNS).indexOf('items lost') + 1);

/**
 * A scenario's table.
 * @param {import('./results.mjs').ScenarioResult} result
 * @returns {{ head: string[], rows: string[][] }}
 */
export function tableOf(result) {
	const { columns: wanted = USUAL, entries } = result.scenario;
	// Results may be older than the name of a column.
	const columns = wanted.filter((column) => column in COLUMNS);
	return { head: ['', ...columns], rows: entries.map(({ id, name }) => [name, ...columns.map((column) => COLUMNS[column](result, id))]) };
}

/**
 * A scenario as a table in the terminal.
 * @param {import('./results.mjs').ScenarioResult} result
 */
export function printScenario(result) {
	const { head, rows } = tableOf(result);
	const table = new Table({ head, style: { head: [], border: [] } });
	table.push(...rows);
	console.log(table.toString());
	const errors = result.rounds.flatMap((round) => Object.entries(round).flatMap(([id, { error }]) => (error ? [`${id}: ${error}`] : [])));
	for (const line of new Set(errors)) console.log(`  ! ${line}`);
}
