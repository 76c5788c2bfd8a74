import { figure } from '../../figures.mjs';
import { PEERS } from '../../peers/index.mjs';
import { columns, lines } from './lines.mjs';
import { rowsOf } from './rows.mjs';

const SIZES = ['items-100', 'get-warm', 'items-10000'];

const isPeer = ({ id }) => id in PEERS;

const over = (figureName) => (all) =>
	rowsOf(all, SIZES, (result, entry) => (isPeer(entry) ? { peer: entry.name, ...figure(result, entry.id, figureName) } : undefined));

/** Both axes go in steps of ten: a time that grows as the items do is a straight line. */
const ITEMS = { field: 'items', scale: { type: 'log', nice: false }, title: 'items', axis: { values: [100, 1_000, 10_000], format: ',', grid: false } };

/** Node time over the number of items. @type {import('./index.mjs').Plot} */
export const items = {
	file: 'items',
	alt: 'Lines: node time over 100, 1,000 and 10,000 items',
	spec(all, subtitle) {
		const rows = over('seconds')(all);
		if (rows.length === 0) return undefined;
		return {
			title: { text: 'Node time as the items grow: less is better', subtitle: [`Get Gateway, each reply after ${rows[0].latency} ms, warm credential; both axes logarithmic`, ...subtitle] },
			data: { values: rows },
			facet: columns(rows),
			spec: lines(rows, { x: ITEMS, y: { scale: { type: 'log' }, title: 'node time in seconds', axis: { values: [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200], format: '~g' } } }),
		};
	},
};

/** Peak memory over the number of items. @type {import('./index.mjs').Plot} */
export const memory = {
	file: 'memory',
	alt: 'Lines: peak memory of the n8n process over 100, 1,000 and 10,000 items',
	spec(all, subtitle) {
		const rows = over('peakMemory')(all);
		if (rows.length === 0) return undefined;
		return {
			title: { text: 'Peak memory of the n8n process: less is better', subtitle: [`Get Gateway, each reply after ${rows[0].latency} ms, warm credential; n8n itself included`, ...subtitle] },
			data: { values: rows },
			facet: columns(rows),
			spec: lines(rows, { x: ITEMS, y: { scale: { zero: true }, title: 'peak memory in MB' } }),
		};
	},
};
