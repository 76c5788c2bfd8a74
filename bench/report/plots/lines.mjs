import { coloursOf, shapesOf } from '../draw.mjs';
import { versionsOf } from './rows.mjs';

/** Side by side, a panel for each version of n8n. @param {{ version: string }[]} rows */
export const columns = (rows) => ({ column: { field: 'version', title: null, sort: versionsOf(rows) } });

/**
 * A line for each peer over some quantity, with the spread of the rounds.
 * @param {{ peer: string, median: number, min: number, max: number }[]} rows
 * @param {{ x: object, y: object }} axes encodings of the quantity and of what is read
 */
export function lines(rows, { x, y }) {
	const colour = { field: 'peer', scale: coloursOf(rows), legend: { symbolStrokeWidth: 2 } };
	const shape = { field: 'peer', scale: shapesOf(rows) };
	return {
		width: 330,
		height: 290,
		encoding: { x: { type: 'quantitative', ...x, scale: { ...x.scale, padding: 14 } }, color: colour },
		layer: [
			{ mark: { type: 'rule', strokeWidth: 2, opacity: 0.5 }, encoding: { y: { field: 'min', type: 'quantitative', ...y }, y2: { field: 'max' } } },
			{ mark: { type: 'line', strokeWidth: 2.5 }, encoding: { y: { field: 'median', type: 'quantitative', ...y } } },
			{ mark: { type: 'point', filled: true, size: 90, opacity: 1 }, encoding: { y: { field: 'median', type: 'quantitative', ...y }, shape } },
		],
	};
}
