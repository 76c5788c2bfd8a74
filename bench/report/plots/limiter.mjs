import { figure } from '../../figures.mjs';
import { number } from '../../words.mjs';
import { PEER_LINES, stacked } from './bars.mjs';
import { rowsOf } from './rows.mjs';

const KINDS = ['requests that gave an item', 'requests wasted'];

/** Requests that a limiting service got, by what came of them. @type {import('./index.mjs').Plot} */
export const limiter = {
	file: 'limiter',
	alt: 'Bars: requests that gave an item and requests wasted, with the time to finish and the items lost',
	spec(all, subtitle) {
		const bars = rowsOf(all, ['limiter'], (result, { id, name }) => ({
			peer: name,
			seconds: figure(result, id, 'seconds').median,
			lost: figure(result, id, 'lost').max,
			useful: figure(result, id, 'different').median,
			sent: figure(result, id, 'sent').median,
		}));
		if (bars.length === 0) return undefined;
		const [{ items }] = bars;
		const labels = bars.map((bar) => ({ ...bar, label: `${number(bar.seconds)} s, ${bar.lost === 0 ? 'nothing lost' : `${number(bar.lost)} items lost`}` }));
		const parts = bars.flatMap((bar) => [
			{ ...bar, kind: KINDS[0], order: 0, count: bar.useful },
			{ ...bar, kind: KINDS[1], order: 1, count: bar.sent - bar.useful },
		]);
		return {
			title: { text: 'A service that takes 100 requests a second', subtitle: [`Get Gateway, ${number(items)} items; beside each bar the time to finish and what was lost`, ...subtitle] },
			facet: stacked(bars),
			data: { values: [...parts, ...labels] },
			spec: {
				width: 560,
				height: { step: 34 },
				encoding: { y: PEER_LINES },
				layer: [
					{
						transform: [{ filter: 'isValid(datum.kind)' }],
						mark: { type: 'bar', height: { band: 0.7 } },
						encoding: {
							x: { field: 'count', type: 'quantitative', title: 'requests, logins included', stack: 'zero' },
							color: { field: 'kind', scale: { domain: KINDS, range: ['#4d4d4d', '#e69f00'] } },
							order: { field: 'order' },
						},
					},
					{
						transform: [{ filter: 'isValid(datum.label)' }],
						mark: { type: 'text', align: 'left', dx: 8, fontSize: 13, color: '#222' },
						encoding: { x: { field: 'sent', type: 'quantitative' }, text: { field: 'label' } },
					},
				],
			},
		};
	},
};
