import Table from 'cli-table3';
import { figure } from './figures.mjs';
import { number, withSpread } from './words.mjs';

/**
 * What a table says of each entry: the column's head, and its cell.
 * @type {Record<string, (result: import('./results.mjs').ScenarioResult, entry: string) => string>}
 */
export const COLUMNS = {
	'node time, s': (result, entry) => withSpread(figure(result, entry, 'seconds')),
	'items a second': (result, entry) => number(figure(result, entry, 'throughput').median),
	logins: (result, entry) => number(figure(result, entry, 'logins').median),
	'peak in flight': (result, entry) => number(figure(result, entry, 'peakInFlight').max),
	sockets: (result, entry) => number(figure(result, entry, 'sockets').median),
	'peak memory, MB': (result, entry) => number(figure(result, entry, 'peakMemory').median),
	'processor, s': (result, entry) => number(figure(result, entry, 'cpu').median),
	'requests failed': (result, entry) => number(figure(result, entry, 'failedRequests').median),
	'items lost': (result, entry) => number(figure(result, entry, 'lost').max),
};

/**
 * A scenario as a table in the terminal.
 * @param {import('./results.mjs').ScenarioResult} result
 */
export function printScenario(result) {
	const table = new Table({ head: ['', ...Object.keys(COLUMNS)], style: { head: [], border: [] } });
	for (const { id, name } of result.scenario.entries) table.push([name, ...Object.values(COLUMNS).map((cell) => cell(result, id))]);
	console.log(table.toString());
	const errors = result.rounds.flatMap((round) => Object.entries(round).flatMap(([id, { error }]) => (error ? [`${id}: ${error}`] : [])));
	for (const line of new Set(errors)) console.log(`  ! ${line}`);
}
