import { figure } from '../../figures.mjs';
import { columns, lines } from './lines.mjs';
import { rowsOf } from './rows.mjs';

/** Items a second over requests in flight, beside the limit. @type {import('./index.mjs').Plot} */
export const inFlight = {
	file: 'in-flight',
	alt: "Lines: items a second of Voice Admin and of Node's http alone with 1, 10, 50 and 200 requests in flight",
	spec(all, subtitle) {
		const rows = rowsOf(all, ['in-flight'], (result, entry) => ({
			peer: entry.peer ? 'Voice Admin' : "Node's http",
			inFlight: entry.inFlight,
			...figure(result, entry.id, 'throughput'),
		}));
		if (rows.length === 0) return undefined;
		return {
			title: { text: 'What requests in flight give, beside the limit', subtitle: [`Get Gateway, each reply after ${rows[0].latency} ms, warm credential; both axes logarithmic`, ...subtitle] },
			data: { values: rows },
			facet: columns(rows),
			spec: lines(rows, {
				x: { field: 'inFlight', scale: { type: 'log', nice: false }, title: 'most requests in flight', axis: { values: [1, 10, 50, 200], grid: false } },
				y: { scale: { type: 'log' }, title: 'items a second', axis: { values: [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000], format: ',' } },
			}),
		};
	},
};
