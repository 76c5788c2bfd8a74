import * as vega from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { CONTENDERS } from '../contenders.mts';
import { type MetricId, metricOf, number, type Spread } from '../metrics.mts';
import type { Results } from '../results.mts';
import type { Scenario } from '../scenarios.mts';

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

/** Told apart without seeing colors, too. */
const COLORS = { [CONTENDERS.voiceAdmin.name]: '#0060a8', [CONTENDERS.httpRequest.name]: '#d55e00', [CONTENDERS.plain.name]: '#7a7a7a' };

/** A variant in a scenario on one version of n8n, with what a plot reads of it. */
type Row = Record<'version' | 'contender' | 'name', string>;

/** Bars, one for each variant of a scenario. alt: for those who can't see them; layers: in a panel for each version of n8n */
interface Plot {
	scenario: string;
	alt: string;
	title: string;
	subtitle: (scenario: Scenario) => string;
	barHeight: number;
	read: (metric: (id: MetricId) => Spread) => object;
	layers: object[];
}

const quantitative = (field: string, more: object = {}) => ({ field, type: 'quantitative', ...more });

const text = (x: string, fontSize: number, more: object = {}) => ({
	mark: { type: 'text', align: 'left', dx: 8, fontSize, color: '#222', ...more },
	encoding: { x: quantitative(x), text: { field: 'label' } },
});

const OUTCOMES = ['requests that gave an item', 'requests wasted'] as const;

/** By the end of the file's name. */
const PLOTS: Record<string, Plot> = {
	throughput: {
		scenario: 'get-cold',
		alt: 'Bars: items a second of Voice Admin, HTTP Request and a plain declarative node',
		title: 'Items a second: more is better',
		subtitle: ({ items, latency }) => `Get Gateway, ${number(items)} items, each reply after ${latency} ms, no token stored`,
		barHeight: 38,
		read: (metric) => ({ ...metric('throughput'), label: number(metric('throughput').median) }),
		layers: [
			{
				mark: { type: 'bar', height: { band: 0.72 } },
				encoding: {
					x: quantitative('median', { title: 'items a second (median; the line spans all rounds)' }),
					color: { field: 'contender', scale: { domain: Object.keys(COLORS), range: Object.values(COLORS) }, legend: null },
				},
			},
			{ mark: { type: 'rule', strokeWidth: 2, color: '#222' }, encoding: { x: quantitative('min'), x2: { field: 'max' } } },
			text('max', 14, { fontWeight: 'bold' }),
		],
	},
	limiter: {
		scenario: 'limiter',
		alt: 'Bars: requests that gave an item and requests wasted, with the time to finish and the items lost',
		title: 'A service that takes 100 requests a second',
		subtitle: ({ items }) => `Get Gateway, ${number(items)} items; beside each bar the time to finish and what was lost`,
		barHeight: 34,
		read: (metric) => {
			const [useful, sent, lost] = [metric('different').median, metric('sent').median, metric('lost').max];
			const label = `${number(metric('seconds').median)} s, ${lost === 0 ? 'nothing lost' : `${number(lost)} items lost`}`;
			return { sent, label, [OUTCOMES[0]]: useful, [OUTCOMES[1]]: sent - useful };
		},
		layers: [
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
		],
	},
};

/** Draws the plots whose scenario was measured. @param circumstances lines of the subtitle about machine and versions */
export async function drawPlots(all: Results[], circumstances: string[]): Promise<Array<Record<'id' | 'alt' | 'svg', string>>> {
	const drawn = [];
	for (const [id, plot] of Object.entries(PLOTS)) {
		const measured = all.flatMap(({ scenarios: { [plot.scenario]: result } }) => result ?? []);
		if (!measured[0]) continue;
		const title = { text: plot.title, subtitle: [plot.subtitle(measured[0].scenario), ...circumstances] };
		// Its parts are not typed one by one: compile() checks them.
		const spec = { title, data: { values: rowsOf(all, plot) }, config: CONFIG, ...panels(all, plot) } as unknown as TopLevelSpec;
		const view = new vega.View(vega.parse(compile(spec).spec), { renderer: 'none' });
		drawn.push({ id, alt: plot.alt, svg: `${await view.toSVG()}\n` });
		view.finalize();
	}
	return drawn;
}

/** A panel for each version of n8n, in the order in which they came out; in each a bar for each row, in their order. */
const panels = (all: Results[], { barHeight, layers }: Plot) => ({
	facet: {
		row: {
			field: 'version',
			title: null,
			sort: all.map(({ n8n }) => `n8n ${n8n}`),
			header: { labelAngle: 0, labelAlign: 'left', labelOrient: 'top', labelAnchor: 'start' },
		},
	},
	spec: {
		width: 560,
		height: { step: barHeight },
		encoding: { y: { field: 'name', type: 'nominal', title: null, sort: null, axis: { domain: false, ticks: false, labelPadding: 8 } } },
		layer: layers,
	},
});

function rowsOf(all: Results[], { scenario, read }: Plot): Row[] {
	return all.flatMap(({ n8n, scenarios: { [scenario]: result } }) =>
		(result?.scenario.variants ?? []).map(({ id, name, contender }) => ({
			version: `n8n ${n8n}`,
			contender: CONTENDERS[contender].name,
			name,
			...read((metric) => metricOf(result!, id, metric)),
		})),
	);
}
