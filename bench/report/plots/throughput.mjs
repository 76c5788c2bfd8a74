import { figure } from '../../figures.mjs';
import { number } from '../../words.mjs';
import { coloursOf } from '../draw.mjs';
import { PEER_LINES, stacked } from './bars.mjs';
import { rowsOf } from './rows.mjs';

/** Items a second of the three peers, from cold. @type {import('./index.mjs').Plot} */
export const throughput = {
	file: 'throughput',
	alt: 'Bars: items a second of Voice Admin, HTTP Request and a plain declarative node',
	spec(all, subtitle) {
		const rows = rowsOf(all, ['get-cold'], (result, { id, name }) => {
			const { median, min, max } = figure(result, id, 'throughput');
			return { peer: name, median, min, max, label: number(median) };
		});
		if (rows.length === 0) return undefined;
		const [{ items, latency }] = rows;
		return {
			title: { text: 'Items a second: more is better', subtitle: [`Get Gateway, ${number(items)} items, each reply after ${latency} ms, no token stored`, ...subtitle] },
			data: { values: rows },
			facet: stacked(rows),
			spec: {
				width: 560,
				height: { step: 38 },
				encoding: { y: PEER_LINES },
				layer: [
					{ mark: { type: 'bar', height: { band: 0.72 } }, encoding: { x: { field: 'median', type: 'quantitative', title: 'items a second (median; the line spans all rounds)' }, color: { field: 'peer', scale: coloursOf(rows), legend: null } } },
					{ mark: { type: 'rule', strokeWidth: 2, color: '#222' }, encoding: { x: { field: 'min', type: 'quantitative' }, x2: { field: 'max' } } },
					{ mark: { type: 'text', align: 'left', dx: 8, fontSize: 14, fontWeight: 'bold', color: '#222' }, encoding: { x: { field: 'max', type: 'quantitative' }, text: { field: 'label' } } },
				],
			},
		};
	},
};
