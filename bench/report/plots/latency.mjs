import { figure } from '../../figures.mjs';
import { number } from '../../words.mjs';
import { columns, lines } from './lines.mjs';
import { rowsOf } from './rows.mjs';

const LATENCIES = ['latency-5', 'get-warm', 'latency-300', 'latency-500'];

/** Node time over the time that the service takes. @type {import('./index.mjs').Plot} */
export const latency = {
	file: 'latency',
	alt: 'Lines: node time over replies after 5, 50, 300 and 500 ms',
	spec(all, subtitle) {
		// n8n's floor does not run where replies are slow: its line would end halfway.
		const rows = rowsOf(all, LATENCIES, (result, { id, name, peer }) => (peer && peer !== 'floor' ? { peer: name, ...figure(result, id, 'seconds') } : undefined));
		if (rows.length === 0) return undefined;
		return {
			title: { text: 'Node time as the service gets slower: less is better', subtitle: [`Get Gateway, ${number(rows[0].items)} items, warm credential`, ...subtitle] },
			data: { values: rows },
			facet: columns(rows),
			spec: lines(rows, {
				x: { field: 'latency', title: 'time of a reply in ms', axis: { values: [5, 50, 300, 500], labelOverlap: false, grid: false } },
				y: { scale: { zero: true }, title: 'node time in seconds' },
			}),
		};
	},
};
