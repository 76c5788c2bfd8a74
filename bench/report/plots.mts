import * as vega from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { CONTENDERS } from '../contenders.mts';
import { type MetricId, metricOf, number, type Spread } from '../metrics.mts';
import type { Results } from '../results.mts';
import type { Variant } from '../scenarios.mts';

/** A color and a mark for each contender, the same in every plot; told apart without seeing colors, too. */
const LOOKS: Record<string, { color: string; shape: string }> = {
	[CONTENDERS.voiceAdmin.name]: { color: '#0060a8', shape: 'circle' },
	[CONTENDERS.httpRequest.name]: { color: '#d55e00', shape: 'square' },
	[CONTENDERS.plain.name]: { color: '#7a7a7a', shape: 'triangle-up' },
	[CONTENDERS.floor.name]: { color: '#cc79a7', shape: 'triangle-down' },
	[CONTENDERS.nodeHttp.name]: { color: '#009e73', shape: 'diamond' },
};

/** How all plots look: on a white card, as GitHub shows them on a dark page too. */
const CONFIG = {
	background: 'white',
	padding: 16,
	font: 'Helvetica, Arial, sans-serif',
	title: { anchor: 'start', fontSize: 17, subtitleFontSize: 12, subtitleColor: '#555', subtitlePadding: 6, offset: 14, subtitleLineHeight: 16 },
	axis: { labelLimit: 320, labelFontSize: 13, titleFontSize: 13, titleFontWeight: 'normal', titlePadding: 8, gridColor: '#e6e6e6', domainColor: '#999', tickColor: '#999' },
	header: { labelFontSize: 14, labelFontWeight: 'bold', labelPadding: 8 },
	legend: { labelFontSize: 13, orient: 'top', title: null, symbolSize: 120, symbolOpacity: 1, columnPadding: 24, padding: 4, labelLimit: 400 },
	view: { stroke: null },
	facet: { spacing: 36 },
};

/** A variant in a scenario on one version of n8n, with what a plot reads of it. */
type Row = Pick<Variant, 'name' | 'inFlight'> & Record<'version' | 'contender', string> & Record<'items' | 'latency', number>;

/** alt: for those who can't see it; has: whether a variant is in it; spec: its marks and axes, in a panel for each version of n8n */
interface Plot {
	alt: string;
	title: string;
	subtitle: (row: Row) => string;
	scenarios: string[];
	has?: (variant: Variant) => boolean;
	read: (metric: (id: MetricId) => Spread) => object;
	spec: (rows: Row[]) => object;
}

const isNode = ({ id, contender }: Variant) => id === contender;

const quantitative = (field: string, more: object = {}) => ({ field, type: 'quantitative', ...more });
/** How the contenders among the rows look. */
const scaleOf = (rows: Row[], look: 'color' | 'shape') => {
	const shown = Object.entries(LOOKS).filter(([name]) => rows.some(({ contender }) => contender === name));
	return { domain: shown.map(([name]) => name), range: shown.map(([, looks]) => looks[look]) };
};

/** One for each version of n8n, in the order in which they came out. */
const panels = (rows: Row[]) => ({ field: 'version', title: null, sort: [...new Set(rows.map(({ version }) => version))] });

/** A line for each contender over some quantity, with the spread of the rounds; panels side by side. */
const lines = (x: { scale?: object; [more: string]: unknown }, y: object) => (rows: Row[]) => ({
	facet: { column: panels(rows) },
	spec: {
		width: 330,
		height: 290,
		encoding: {
			x: { type: 'quantitative', ...x, scale: { ...x.scale, padding: 14 } },
			color: { field: 'contender', scale: scaleOf(rows, 'color'), legend: { symbolStrokeWidth: 2 } },
		},
		layer: [
			{ mark: { type: 'rule', strokeWidth: 2, opacity: 0.5 }, encoding: { y: quantitative('min', y), y2: { field: 'max' } } },
			{ mark: { type: 'line', strokeWidth: 2.5 }, encoding: { y: quantitative('median', y) } },
			{ mark: { type: 'point', filled: true, size: 90, opacity: 1 }, encoding: { y: quantitative('median', y), shape: { field: 'contender', scale: scaleOf(rows, 'shape') } } },
		],
	},
});

/** A bar for each variant, in the order of the rows; panels one below the other. */
const bars = (step: number, layer: (rows: Row[]) => object[]) => (rows: Row[]) => ({
	facet: { row: { ...panels(rows), header: { labelAngle: 0, labelAlign: 'left', labelOrient: 'top', labelAnchor: 'start' } } },
	spec: {
		width: 560,
		height: { step },
		encoding: { y: { field: 'name', type: 'nominal', title: null, sort: null, axis: { domain: false, ticks: false, labelPadding: 8 } } },
		layer: layer(rows),
	},
});

const text = (x: string, fontSize: number, more: object = {}) => ({
	mark: { type: 'text', align: 'left', dx: 8, fontSize, color: '#222', ...more },
	encoding: { x: quantitative(x), text: { field: 'label' } },
});

/** Both axes go in steps of ten: a time that grows as the items do is a straight line. */
const items = { field: 'items', scale: { type: 'log', nice: false }, title: 'items', axis: { values: [100, 1_000, 10_000], format: ',', grid: false } };
const SIZES = { scenarios: ['items-100', 'get-warm', 'items-10000'], has: isNode };

const OUTCOMES = ['requests that gave an item', 'requests wasted'] as const;

/** By the end of the file's name. */
const PLOTS: Record<string, Plot> = {
	throughput: {
		alt: 'Bars: items a second of Voice Admin, HTTP Request and a plain declarative node',
		title: 'Items a second: more is better',
		subtitle: (row) => `Get Gateway, ${number(row.items)} items, each reply after ${row.latency} ms, no token stored`,
		scenarios: ['get-cold'],
		read: (metric) => ({ ...metric('throughput'), label: number(metric('throughput').median) }),
		spec: bars(38, (rows) => [
			{
				mark: { type: 'bar', height: { band: 0.72 } },
				encoding: {
					x: quantitative('median', { title: 'items a second (median; the line spans all rounds)' }),
					color: { field: 'contender', scale: scaleOf(rows, 'color'), legend: null },
				},
			},
			{ mark: { type: 'rule', strokeWidth: 2, color: '#222' }, encoding: { x: quantitative('min'), x2: { field: 'max' } } },
			text('max', 14, { fontWeight: 'bold' }),
		]),
	},
	items: {
		...SIZES,
		alt: 'Lines: node time over 100, 1,000 and 10,000 items',
		title: 'Node time as the items grow: less is better',
		subtitle: (row) => `Get Gateway, each reply after ${row.latency} ms, warm credential; both axes logarithmic`,
		read: (metric) => metric('seconds'),
		spec: lines(items, { scale: { type: 'log' }, title: 'node time in seconds', axis: { values: [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200], format: '~g' } }),
	},
	memory: {
		...SIZES,
		alt: 'Lines: peak memory of the n8n process over 100, 1,000 and 10,000 items',
		title: 'Peak memory of the n8n process: less is better',
		subtitle: (row) => `Get Gateway, each reply after ${row.latency} ms, warm credential; n8n itself included`,
		read: (metric) => metric('peakMemory'),
		spec: lines(items, { scale: { zero: true }, title: 'peak memory in MB' }),
	},
	latency: {
		alt: 'Lines: node time over replies after 5, 50, 300 and 500 ms',
		title: 'Node time as the service gets slower: less is better',
		subtitle: (row) => `Get Gateway, ${number(row.items)} items, warm credential`,
		scenarios: ['latency-5', 'get-warm', 'latency-300', 'latency-500'],
		// n8n's floor does not run where replies are slow: its line would end halfway.
		has: (variant) => isNode(variant) && variant.contender !== 'floor',
		read: (metric) => metric('seconds'),
		spec: lines(
			{ field: 'latency', title: 'time of a reply in ms', axis: { values: [5, 50, 300, 500], labelOverlap: false, grid: false } },
			{ scale: { zero: true }, title: 'node time in seconds' },
		),
	},
	'in-flight': {
		alt: "Lines: items a second of Voice Admin and of Node's http alone with 1, 10, 50 and 200 requests in flight",
		title: 'Items a second by requests in flight',
		subtitle: (row) => `Get Gateway, each reply after ${row.latency} ms, warm credential; both axes logarithmic`,
		scenarios: ['in-flight'],
		read: (metric) => metric('throughput'),
		spec: lines(
			{ field: 'inFlight', scale: { type: 'log', nice: false }, title: 'most requests in flight', axis: { values: [1, 10, 50, 200], grid: false } },
			{ scale: { type: 'log' }, title: 'items a second', axis: { values: [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000], format: ',' } },
		),
	},
	limiter: {
		alt: 'Bars: requests that gave an item and requests wasted, with the time to finish and the items lost',
		title: 'A service that takes 100 requests a second',
		subtitle: (row) => `Get Gateway, ${number(row.items)} items; beside each bar the time to finish and what was lost`,
		scenarios: ['limiter'],
		read: (metric) => {
			const [useful, sent, lost] = [metric('different').median, metric('sent').median, metric('lost').max];
			const label = `${number(metric('seconds').median)} s, ${lost === 0 ? 'nothing lost' : `${number(lost)} items lost`}`;
			return { sent, label, [OUTCOMES[0]]: useful, [OUTCOMES[1]]: sent - useful };
		},
		spec: bars(34, () => [
			{
				transform: [{ fold: OUTCOMES, as: ['kind', 'count'] }, { calculate: `datum.kind === '${OUTCOMES[1]}' ? 1 : 0`, as: 'order' }],
				mark: { type: 'bar', height: { band: 0.7 } },
				encoding: {
					x: quantitative('count', { title: 'requests, logins included', stack: 'zero' }),
					color: { field: 'kind', scale: { domain: OUTCOMES, range: ['#4d4d4d', '#e69f00'] } },
					order: { field: 'order' },
				},
			},
			text('sent', 13),
		]),
	},
};

/** Draws the plots of which something was measured, with a subtitle about machine and versions. */
export async function drawPlots(all: Results[], subtitle: string[]): Promise<Array<Record<'id' | 'alt' | 'svg', string>>> {
	const drawn = [];
	for (const [id, plot] of Object.entries(PLOTS)) {
		const rows = rowsOf(all, plot);
		if (!rows[0]) continue;
		const title = { text: plot.title, subtitle: [plot.subtitle(rows[0]), ...subtitle] };
		// Its parts are not typed one by one: compile() checks them.
		const spec = { title, data: { values: rows }, config: CONFIG, ...plot.spec(rows) } as unknown as TopLevelSpec;
		const view = new vega.View(vega.parse(compile(spec).spec), { renderer: 'none' });
		drawn.push({ id, alt: plot.alt, svg: `${await view.toSVG()}\n` });
		view.finalize();
	}
	return drawn;
}

function rowsOf(all: Results[], { scenarios, has = () => true, read }: Plot): Row[] {
	return all.flatMap((results) =>
		scenarios.flatMap((id) => {
			const result = results.scenarios[id];
			if (!result) return [];
			const { variants, items: usual, latency } = result.scenario;
			return variants.filter(has).map((variant) => ({
				version: `n8n ${results.n8n}`,
				contender: CONTENDERS[variant.contender].name,
				name: variant.name,
				items: variant.items ?? usual,
				latency,
				inFlight: variant.inFlight,
				...read((metric) => metricOf(result, variant.id, metric)),
			}));
		}),
	);
}
