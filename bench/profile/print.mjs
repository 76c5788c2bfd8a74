import Table from 'cli-table3';
import { number, percent } from '../words.mjs';

const PACKAGES = 15;

/** @param {import('./summary.mjs').Profile & { time: number }} profile */
export function printProfile({ time, idle, busy, packages, functions }) {
	console.log(`\nNode time under the profiler ${number(time)} ms: busy ${number(busy)} ms, waiting ${number(idle)} ms.`);
	print(['whose own code', 'ms', 'of the busy time'], packages.slice(0, PACKAGES).map(({ name, self }) => [name, number(self), percent(self / busy)]));
	print(['function, with all that it called', 'of', 'ms', 'of the busy time'], functions.map(({ name, place, whole }) => [name, place, number(whole), percent(whole / busy)]));
}

function print(head, rows) {
	const table = new Table({ head, style: { head: [], border: [] } });
	table.push(...rows);
	console.log(table.toString());
}
