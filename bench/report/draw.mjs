import * as vega from 'vega';
import { compile } from 'vega-lite';

/** A colour and a mark for each peer, the same in every plot; told apart without seeing colours, too. */
const PEERS = [
	{ name: 'Voice Admin', colour: '#0060a8', shape: 'circle' },
	{ name: 'HTTP Request', colour: '#d55e00', shape: 'square' },
	{ name: 'Plain declarative', colour: '#7a7a7a', shape: 'triangle-up' },
	{ name: "n8n's floor", colour: '#cc79a7', shape: 'triangle-down' },
	{ name: "Node's http", colour: '#009e73', shape: 'diamond' },
];

const FONT = 'Helvetica, Arial, sans-serif';

/** How all plots look: on a white card, as GitHub shows them on a dark page too. */
const CONFIG = {
	background: 'white',
	padding: 16,
	font: FONT,
	title: { anchor: 'start', fontSize: 17, subtitleFontSize: 12, subtitleColor: '#555', subtitlePadding: 6, offset: 14, subtitleLineHeight: 16 },
	axis: { labelLimit: 320, labelFontSize: 13, titleFontSize: 13, titleFontWeight: 'normal', titlePadding: 8, gridColor: '#e6e6e6', domainColor: '#999', tickColor: '#999' },
	header: { labelFontSize: 14, labelFontWeight: 'bold', labelPadding: 8 },
	legend: { labelFontSize: 13, orient: 'top', title: null, symbolSize: 120, symbolOpacity: 1, columnPadding: 24, padding: 4, labelLimit: 400 },
	view: { stroke: null },
	facet: { spacing: 36 },
};

/** The colours of peers, for an encoding's `scale`; of those that are in the plot. */
export const coloursOf = (rows) => scaleOf(rows, 'colour');
export const shapesOf = (rows) => scaleOf(rows, 'shape');

function scaleOf(rows, property) {
	const shown = PEERS.filter(({ name }) => rows.some(({ peer }) => peer === name));
	return { domain: shown.map(({ name }) => name), range: shown.map((peer) => peer[property]) };
}

/**
 * Draws a plot.
 * @param {object} spec of Vega-Lite
 * @returns {Promise<string>} SVG
 */
export async function draw(spec) {
	const view = new vega.View(vega.parse(compile({ ...spec, config: CONFIG }).spec), { renderer: 'none' });
	const svg = await view.toSVG();
	view.finalize();
	return `${svg}\n`;
}
