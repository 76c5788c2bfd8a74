import type { Measurement, ScenarioResult } from './results.mts';

/** A number with as many digits as tell something: 0.12, 1.23, 12.3, 1,234. */
export function number(value: number): string {
	const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
	return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export const percent = (share: number) => `${number(share * 100)} %`;

export type Spread = Record<'median' | 'min' | 'max' | 'count', number>;

const sorted = (values: number[]) => [...values].sort((a, b) => a - b);

/** The smallest of some values that at least a share of them, such as 0.95, do not exceed; NaN for none. */
const quantile = (values: number[], share: number) => sorted(values)[Math.ceil(values.length * share) - 1] ?? NaN;

/** The middle of some values, and how far they spread. */
export function spread(values: number[]): Spread {
	const inOrder = sorted(values);
	const at = (index: number) => inOrder[index] ?? NaN;
	const middle = (values.length - 1) / 2;
	return { median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2, min: at(0), max: at(values.length - 1), count: values.length };
}

/** A median, and from where to where the rounds go. */
export const withSpread = ({ median, min, max, count }: Spread) => (count === 1 ? number(median) : `${number(median)} (${number(min)}–${number(max)})`);

/** heading: of its column; show: what stands for all rounds, the median without it */
interface Metric {
	of: (measured: Measurement) => number;
	heading?: string;
	show?: 'spread' | 'max' | 'percent';
}

const METRIC_LIST = {
	seconds: { of: ({ time }) => time / 1000, heading: 'node time, s', show: 'spread' },
	/** Of requests that had to be sent again only the last counts. */
	throughput: { of: ({ good, time }) => good / (time / 1000), heading: 'items a second' },
	logins: { of: ({ service }) => service.logins, heading: 'logins' },
	peakInFlight: { of: ({ service }) => service.peakInFlight, heading: 'peak in flight', show: 'max' },
	sockets: { of: ({ service }) => service.sockets, heading: 'sockets' },
	peakMemory: { of: ({ peakMemory = NaN }) => peakMemory / 1e6, heading: 'peak memory, MB' },
	cpu: { of: ({ cpu = NaN }) => cpu / 1000, heading: 'processor, s' },
	/** Without a good reply, logins not counted. */
	failedRequests: { of: ({ service }) => service.requests - service.good, heading: 'requests failed' },
	lost: { of: ({ items, good }) => items - good, heading: 'items lost', show: 'max' },
	totalSeconds: { of: ({ time }) => time / 1000, heading: 'time, s', show: 'spread' },
	/** What the service's limit alone would take. */
	ideal: { of: ({ ideal = NaN }) => ideal / 1000, heading: 'ideal, s' },
	timesIdeal: { of: ({ time, ideal = NaN }) => time / ideal, heading: 'times the ideal', show: 'spread' },
	/** Share of all requests, logins included, that the service's limit rejected. */
	rateLimited: { of: ({ service }) => service.limited / (service.requests + service.logins), heading: 'requests wasted', show: 'percent' },
	failedCalls: { of: ({ failedCalls = NaN }) => failedCalls, heading: 'calls failed', show: 'max' },
	singleMedian: { of: ({ singles = [] }) => spread(singles).median, heading: 'single item: median, ms', show: 'spread' },
	singleP95: { of: ({ singles = [] }) => quantile(singles, 0.95), heading: 'p95, ms', show: 'spread' },
	singleWorst: { of: ({ singles = [] }) => spread(singles).max, heading: 'worst, ms', show: 'max' },
	failedSingles: { of: ({ failedSingles = NaN }) => failedSingles, heading: 'single items failed', show: 'max' },
	healthP99: { of: ({ healthChecks = [] }) => quantile(healthChecks, 0.99), heading: 'health check: p99, ms', show: 'spread' },
	healthWorst: { of: ({ healthChecks = [] }) => spread(healthChecks).max, heading: 'worst, ms', show: 'max' },
	/** Requests that were not the same as one before, and had a good reply. */
	different: { of: ({ service }) => service.different },
	/** Logins included. */
	sent: { of: ({ service }) => service.requests + service.logins },
	/** Share of all requests, logins included, that did no item's work. */
	wasted: { of: ({ service }) => 1 - service.different / (service.requests + service.logins), show: 'percent' },
} satisfies Record<string, Metric>;

export type MetricId = keyof typeof METRIC_LIST;
const METRICS: Record<MetricId, Metric> = METRIC_LIST;

const USUAL_COLUMNS: MetricId[] = ['seconds', 'throughput', 'logins', 'peakInFlight', 'sockets', 'peakMemory', 'cpu', 'failedRequests', 'lost'];

/** A metric of one variant, in each round; NaN for a variant that took no part, as results may be older than it. */
const inRounds = ({ rounds }: ScenarioResult, variant: string, metric: MetricId) =>
	rounds.map(({ [variant]: measured }) => (measured ? METRICS[metric].of(measured) : NaN));

export const metricOf = (result: ScenarioResult, variant: string, metric: MetricId): Spread => spread(inRounds(result, variant, metric));

/** How many times as much one variant has of a metric as another: taken in each round, so that both stand for the same minute of the machine. */
export function ratio(result: ScenarioResult, variant: string, other: string, metric: MetricId): Spread {
	const others = inRounds(result, other, metric);
	return spread(inRounds(result, variant, metric).map((value, round) => value / (others[round] ?? NaN)));
}

/** A metric of one variant over all rounds, as a number and as it is written. */
export function readMetric(result: ScenarioResult, variant: string, metric: MetricId): { value: number; text: string } {
	const { show } = METRICS[metric];
	const all = metricOf(result, variant, metric);
	const value = show === 'max' ? all.max : all.median;
	return { value, text: show === 'spread' ? withSpread(all) : show === 'percent' ? percent(value) : number(value) };
}

export function tableOf(result: ScenarioResult): { head: string[]; rows: string[][] } {
	const { columns = USUAL_COLUMNS, variants } = result.scenario;
	const rows = variants.map(({ id, name }) => [name, ...columns.map((column) => readMetric(result, id, column).text)]);
	return { head: ['', ...columns.map((id) => METRICS[id].heading ?? id)], rows };
}

/** All metrics of a variant that were measured: [median, lowest, highest] of the rounds, with four significant digits. */
export function summaryOf(result: ScenarioResult, variant: string): Record<string, number[]> {
	const all = (Object.keys(METRICS) as MetricId[]).map((id) => [id, metricOf(result, variant, id)] as const);
	const rounded = (value: number) => Number(value.toPrecision(4));
	return Object.fromEntries(all.flatMap(([id, { median, min, max }]) => (Number.isFinite(median) ? [[id, [median, min, max].map(rounded)]] : [])));
}
