import type { Measurement, ScenarioResult } from './results.mts';

/** A number with as many digits as tell something: 0.12, 1.23, 12.3, 1,234. */
export function number(value: number): string {
	const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
	return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export type Spread = Record<'median' | 'min' | 'max', number>;

/** The middle of some values, and how far they spread. */
export function spread(values: number[]): Spread {
	const inOrder = [...values].sort((a, b) => a - b);
	const at = (index: number) => inOrder[index] ?? NaN;
	const middle = (values.length - 1) / 2;
	const median = (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
	return { median, min: at(0), max: at(values.length - 1) };
}

/** A median, and from where to where the rounds go. */
export function withSpread(of: Spread): string {
	const [median, min, max] = [of.median, of.min, of.max].map(number);
	return min === max ? `${median}` : `${median} (${min}–${max})`;
}

/** What is read of a measurement; NaN where it was not measured. All of these are in docs/benchmarks.json. */
const METRICS = {
	seconds: ({ time }) => time / 1000,
	/** Of requests that had to be sent again only the last counts. */
	throughput: ({ good, time }) => good / (time / 1000),
	logins: ({ service }) => service.logins,
	peakInFlight: ({ service }) => service.peakInFlight,
	/** MB. */
	peakMemory: ({ peakMemory = NaN }) => peakMemory / 1e6,
	lost: ({ items, good }) => items - good,
	/** Of the time that the service's limit alone would take. */
	timesIdeal: ({ time, ideal = NaN }) => time / ideal,
	/** Percent of all requests, logins included, that did no item's work. */
	wasted: ({ service }) => 100 * (1 - service.different / (service.requests + service.logins)),
} satisfies Record<string, (measured: Measurement) => number>;

export type MetricId = keyof typeof METRICS;

/** A metric of one variant, in each round; NaN for a variant that took no part, as results may be older than it. */
function inRounds({ rounds }: ScenarioResult, variant: string, metric: MetricId): number[] {
	return rounds.map(({ [variant]: measured }) => (measured ? METRICS[metric](measured) : NaN));
}

export const metricOf = (result: ScenarioResult, variant: string, metric: MetricId): Spread => spread(inRounds(result, variant, metric));

/**
 * How many times as much one variant has of a metric as another: taken in each round, so that both stand for the same
 * minute of the machine.
 */
export function ratio(result: ScenarioResult, variant: string, other: string, metric: MetricId): Spread {
	const others = inRounds(result, other, metric);
	return spread(inRounds(result, variant, metric).map((value, round) => value / (others[round] ?? NaN)));
}

/** All metrics of a variant that were measured: [median, lowest, highest] of the rounds, with four significant digits. */
export function summaryOf(result: ScenarioResult, variant: string): Record<string, number[]> {
	const rounded = (value: number) => Number(value.toPrecision(4));
	const all = (Object.keys(METRICS) as MetricId[]).map((id) => [id, metricOf(result, variant, id)] as const);
	const measured = all.filter(([, { median }]) => Number.isFinite(median));
	return Object.fromEntries(measured.map(([id, { median, min, max }]) => [id, [median, min, max].map(rounded)]));
}
