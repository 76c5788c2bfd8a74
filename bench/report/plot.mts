import { type MetricId, metricOf, number, type Spread, withSpread } from '../metrics.mts';
import type { Results } from '../results.mts';

/** One bar: parts beside each other, and what stands at its end. */
interface Bar {
	parts: Array<[value: number, color: string]>;
	label: string;
}

/** Bars, one for each variant of a scenario, under each version of n8n. alt: for those who can't see them */
interface Plot {
	scenario: string;
	alt: string;
	title: string;
	subtitle: string;
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
		subtitle: 'each reply after 50 ms, no token stored; the median of the rounds, with the lowest and the highest',
		bar: (metric, contender) => {
			const throughput = metric('throughput');
			return { parts: [[throughput.median, COLORS[contender]!]], label: withSpread(throughput) };
		},
	},
	limiter: {
		scenario: 'limiter',
		alt: 'Bars: requests that gave an item and requests wasted, with the time to finish and the items lost',
		title: 'A service that takes 100 requests a second',
		subtitle: 'all requests that were sent, logins included, the time to finish, and what was lost',
		legend: [[USEFUL, 'requests that gave an item'], [WASTED, 'requests wasted']],
		bar: (metric) => {
			const [useful, sent, lost] = [metric('different').median, metric('sent').median, metric('lost').max];
			const label = `${number(sent)} in ${number(metric('seconds').median)} s, ${lost === 0 ? 'nothing' : `${number(lost)} items`} lost`;
			return { parts: [[useful, USEFUL], [sent - useful, WASTED]], label };
		},
	},
};

/** Pixels: where bars begin, how long the longest is, the space of each, and what is left for their labels. */
const [LEFT, LENGTH, STEP, RIGHT] = [230, 440, 34, 230];

/** Draws the plots whose scenario was measured. */
export function drawPlots(all: Results[]): Array<Record<'id' | 'alt' | 'svg', string>> {
	return Object.entries(PLOTS).flatMap(([id, plot]) => {
		const measured = all.filter(({ scenarios }) => scenarios[plot.scenario]);
		return measured.length > 0 ? [{ id, alt: plot.alt, svg: draw(plot, measured) }] : [];
	});
}

function draw({ scenario, title, subtitle, legend = [], bar }: Plot, measured: Results[]): string {
	const panels = measured.map(({ n8n, scenarios: { [scenario]: result } }) => {
		const { variants } = result!.scenario;
		return { n8n, bars: variants.map(({ id, name, contender }) => ({ name, ...bar((metric) => metricOf(result!, id, metric), contender) })) };
	});
	const lengthOf = ({ parts }: Bar) => parts.reduce((sum, [value]) => sum + value, 0);
	const longest = Math.max(...panels.flatMap(({ bars }) => bars.map(lengthOf)));
	const x = (value: number) => Math.round(LEFT + (value / longest) * LENGTH);
	const { items } = measured[0]!.scenarios[scenario]!.scenario;
	const content = [
		text(16, 30, title, 'font-size="17" font-weight="bold"'),
		text(16, 50, `Get Gateway, ${number(items)} items; ${subtitle}`, 'font-size="12" fill="#555"'),
		...legend.flatMap(([color, meaning], index) => [box(LEFT + index * 220, 68, 11, 11, color), text(LEFT + 18 + index * 220, 78, meaning)]),
	];
	let y = legend.length > 0 ? 66 : 50;
	for (const { n8n, bars } of panels) {
		y += 50;
		content.push(text(LEFT, y - 12, `n8n ${n8n}`, 'font-size="14" font-weight="bold"'));
		for (const { name, parts, label } of bars) {
			const middle = y + STEP / 2;
			content.push(text(LEFT - 8, middle + 4, name, 'text-anchor="end"'));
			let end = 0;
			for (const [value, color] of parts) {
				content.push(box(x(end), y + 5, x(end + value) - x(end), STEP - 10, color));
				end += value;
			}
			content.push(text(x(end) + 8, middle + 5, label));
			y += STEP;
		}
	}
	const size = `width="${LEFT + LENGTH + RIGHT}" height="${y + 16}"`;
	const font = 'font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#222"';
	return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${font}>\n<rect ${size} fill="white"/>\n${content.join('\n')}\n</svg>\n`;
}

function box(x: number, y: number, width: number, height: number, color: string): string {
	return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${color}"/>`;
}

const text = (x: number, y: number, content: string, attributes = '') => `<text x="${x}" y="${y}" ${attributes}>${content}</text>`;
