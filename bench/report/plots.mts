import { type MetricId, metricOf, number, type Spread } from '../metrics.mts';
import type { Results } from '../results.mts';
import type { Scenario } from '../scenarios.mts';

/** One bar: parts beside each other, and what stands at its end; line: drawn over it, from where to where. */
interface Bar {
	parts: Array<{ value: number; color: string }>;
	label: string;
	line?: [from: number, to: number];
}

/** Bars, one for each variant of a scenario, under each version of n8n. alt: for those who can't see them */
interface Plot {
	scenario: string;
	alt: string;
	title: string;
	subtitle: (scenario: Scenario) => string;
	axis: string;
	legend?: Array<[color: string, meaning: string]>;
	bar: (metric: (id: MetricId) => Spread, contender: string) => Bar;
}

/** Told apart without seeing colors, too. */
const COLORS: Record<string, string> = { voiceAdmin: '#0060a8', httpRequest: '#d55e00', plain: '#7a7a7a' };
const [USEFUL, WASTED] = ['#4d4d4d', '#e69f00'];

/** By the end of the file's name. */
const PLOTS: Record<string, Plot> = {
	throughput: {
		scenario: 'get-cold',
		alt: 'Bars: items a second of Voice Admin, HTTP Request and a plain declarative node',
		title: 'Items a second: more is better',
		subtitle: ({ items, latency }) => `Get Gateway, ${number(items)} items, each reply after ${latency} ms, no token stored`,
		axis: 'items a second (median; the line spans all rounds)',
		bar: (metric, contender) => {
			const { median, min, max } = metric('throughput');
			return { parts: [{ value: median, color: COLORS[contender]! }], label: number(median), line: [min, max] };
		},
	},
	limiter: {
		scenario: 'limiter',
		alt: 'Bars: requests that gave an item and requests wasted, with the time to finish and the items lost',
		title: 'A service that takes 100 requests a second',
		subtitle: ({ items }) => `Get Gateway, ${number(items)} items; beside each bar the time to finish and what was lost`,
		axis: 'requests, logins included',
		legend: [[USEFUL, 'requests that gave an item'], [WASTED, 'requests wasted']],
		bar: (metric) => {
			const [useful, sent, lost] = [metric('different').median, metric('sent').median, metric('lost').max];
			const parts = [{ value: useful, color: USEFUL }, { value: sent - useful, color: WASTED }];
			return { parts, label: `${number(metric('seconds').median)} s, ${lost === 0 ? 'nothing' : `${number(lost)} items`} lost` };
		},
	},
};

/** Pixels: where bars begin, how long the longest is, the space of each, and what is left for their labels. */
const [LEFT, LENGTH, STEP, RIGHT] = [230, 480, 34, 180];

/** Draws the plots whose scenario was measured. @param circumstances lines of the subtitle about machine and versions */
export function drawPlots(all: Results[], circumstances: string[]): Array<Record<'id' | 'alt' | 'svg', string>> {
	return Object.entries(PLOTS).flatMap(([id, plot]) => {
		const measured = all.filter(({ scenarios }) => scenarios[plot.scenario]);
		return measured.length > 0 ? [{ id, alt: plot.alt, svg: draw(plot, measured, circumstances) }] : [];
	});
}

function draw({ scenario, title, subtitle, axis, legend = [], bar }: Plot, measured: Results[], circumstances: string[]): string {
	const panels = measured.map(({ n8n, scenarios: { [scenario]: result } }) => {
		const { variants } = result!.scenario;
		const bars = variants.map(({ id, name, contender }) => ({ name, ...bar((metric) => metricOf(result!, id, metric), contender) }));
		return { version: `n8n ${n8n}`, bars };
	});
	const endOf = ({ parts, line }: Bar) => Math.max(parts.reduce((sum, { value }) => sum + value, 0), line?.[1] ?? 0);
	const longest = Math.max(...panels.flatMap(({ bars }) => bars.map(endOf)));
	const x = (value: number) => LEFT + (value / longest) * LENGTH;
	const content = [text(16, 30, title, { 'font-size': 17, 'font-weight': 'bold' })];
	let y = 50;
	for (const line of [subtitle(measured[0]!.scenarios[scenario]!.scenario), ...circumstances]) {
		content.push(text(16, y, line, { 'font-size': 12, fill: '#555' }));
		y += 16;
	}
	for (const [index, [fill, meaning]] of legend.entries()) {
		const x0 = LEFT + index * 220;
		content.push(element('rect', { x: x0, y: y + 2, width: 11, height: 11, fill }), text(x0 + 18, y + 12, meaning));
	}
	for (const { version, bars } of panels) {
		y += 38;
		content.push(text(LEFT, y, version, { 'font-size': 14, 'font-weight': 'bold' }));
		y += 12;
		for (const { name, parts, label, line } of bars) {
			const middle = y + STEP / 2;
			content.push(text(LEFT - 8, middle + 4, name, { 'text-anchor': 'end' }));
			let end = 0;
			for (const { value, color } of parts) {
				const width = x(value) - LEFT;
				content.push(element('rect', { x: x(end), y: y + 5, width, height: STEP - 10, fill: color }));
				end += value;
			}
			if (line) {
				const [from, to] = line.map((value) => x(value).toFixed(1));
				content.push(element('path', { d: `M${from} ${middle}H${to}`, stroke: '#222', 'stroke-width': 2 }));
			}
			content.push(text(x(Math.max(end, line?.[1] ?? 0)) + 8, middle + 5, label, { 'font-weight': line ? 'bold' : 'normal' }));
			y += STEP;
		}
	}
	y += 28;
	content.push(text(LEFT, y, `${axis}; the longest is ${number(longest)}`));
	const size = { width: LEFT + LENGTH + RIGHT, height: y + 16 };
	const svg = { xmlns: 'http://www.w3.org/2000/svg', ...size, 'font-family': 'Helvetica, Arial, sans-serif', 'font-size': 13, fill: '#222' };
	return `${element('svg', svg, `\n${element('rect', { ...size, fill: 'white' })}\n${content.join('\n')}\n`)}\n`;
}

function element(name: string, attributes: Record<string, string | number>, content = ''): string {
	const short = (value: string | number) => (typeof value === 'number' ? Math.round(value * 10) / 10 : value);
	const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${short(value)}"`);
	return `<${name}${written.join('')}>${content}</${name}>`;
}

const text = (x: number, y: number, content: string, attributes = {}) => element('text', { x, y, ...attributes }, content);
