import { metricOf, number, type Results, withSpread } from '../results.mts';

const SCENARIO = 'get';

/** Told apart without seeing colors, too. */
const COLORS: Record<string, string> = { voiceAdmin: '#0060a8', httpRequest: '#d55e00', floor: '#7a7a7a' };

/** Pixels: where bars begin, how long the longest is, the space of each, and what is left for their labels. */
const [LEFT, LENGTH, STEP, RIGHT] = [230, 440, 34, 230];

/** Draws bars of the throughput, one for each variant, under each version of n8n; undefined where it was not measured. */
export function drawPlot(all: Results[]): string | undefined {
	const panels = all.flatMap(({ n8n, scenarios: { [SCENARIO]: result } }) => {
		return result ? [{ n8n, bars: result.scenario.variants.map(({ id, name }) => ({ id, name, value: metricOf(result, id, 'throughput') })) }] : [];
	});
	if (panels.length === 0) return undefined;
	const longest = Math.max(...panels.flatMap(({ bars }) => bars.map(({ value }) => value.median)));
	const { items } = all.find(({ scenarios }) => scenarios[SCENARIO])!.scenarios[SCENARIO]!.scenario;
	const subtitle = 'each reply after 50 ms; the median of the rounds, with the lowest and the highest';
	const content = [
		text(16, 30, 'Items a second: more is better', 'font-size="17" font-weight="bold"'),
		text(16, 50, `Get, ${number(items)} items; ${subtitle}`, 'font-size="12" fill="#555"'),
	];
	let y = 50;
	for (const { n8n, bars } of panels) {
		y += 50;
		content.push(text(LEFT, y - 12, `n8n ${n8n}`, 'font-size="14" font-weight="bold"'));
		for (const { id, name, value } of bars) {
			const width = Math.round((value.median / longest) * LENGTH);
			content.push(text(LEFT - 8, y + STEP / 2 + 4, name, 'text-anchor="end"'));
			content.push(`<rect x="${LEFT}" y="${y + 5}" width="${width}" height="${STEP - 10}" fill="${COLORS[id]}"/>`);
			content.push(text(LEFT + width + 8, y + STEP / 2 + 5, withSpread(value)));
			y += STEP;
		}
	}
	const size = `width="${LEFT + LENGTH + RIGHT}" height="${y + 16}"`;
	const font = 'font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#222"';
	return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${font}>\n<rect ${size} fill="white"/>\n${content.join('\n')}\n</svg>\n`;
}

const text = (x: number, y: number, content: string, attributes = '') => `<text x="${x}" y="${y}" ${attributes}>${content}</text>`;
