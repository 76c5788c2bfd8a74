/** What the service counted. requests: without logins; distinct: different ones that were not rejected */
export type Counters = Record<'requests' | 'logins' | 'distinct', number>;

/** What a run reports. Times in ms, memory in bytes. */
export interface RunResult {
	/** The node's execution time in n8n; in a server, from the first call to the last response. */
	time: number;
	/** Items without an error, and items in all (by default the scenario's). */
	successCount: number;
	items?: number;
	/** Of the process, until the node's end. */
	peakMemory?: number;
	/** The longest time, in ms, in which n8n did nothing else, such as respond to its editor. */
	maxEventLoopDelay?: number;
	/** That stopped the node. */
	error?: string;
	/** In a server: the time that the service's rate limit alone would take. */
	idealTime?: number;
	/** How long each execution of a single item took beside the others, in ms. */
	singles?: number[];
}

/** A run of a variant. */
export interface Measurement extends RunResult {
	items: number;
	service: Counters;
}

/** Formats a number with about three significant digits: 0.12, 1.23, 12.3, 1,234. */
function formatNumber(value: number): string {
	const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
	return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Formats a median with the range of the rounds. */
function formatSpread(values: number[]): string {
	const [min, middle, max] = [Math.min(...values), medianOf(values), Math.max(...values)].map(formatNumber);
	return min === max ? `${middle}` : `${middle} (${min}–${max})`;
}

function medianOf(values: number[]): number {
	const sortedValues = [...values].sort((a, b) => a - b);
	const middle = (values.length - 1) / 2;
	return (sortedValues[Math.floor(middle)]! + sortedValues[Math.ceil(middle)]!) / 2;
}

/** Computed from a measurement; NaN if it was not measured. */
const METRICS = {
	seconds: ({ time }) => time / 1000,
	/** Items per second; a request that was sent several times counts once. */
	throughput: ({ successCount, time }) => successCount / (time / 1000),
	logins: ({ service }) => service.logins,
	/** MB. */
	peakMemory: ({ peakMemory = NaN }) => peakMemory / 1e6,
	/** Milliseconds. */
	maxEventLoopDelay: ({ maxEventLoopDelay = NaN }) => maxEventLoopDelay,
	lost: ({ items, successCount }) => items - successCount,
	/** Relative to the time that the service's rate limit alone would take. */
	timesIdeal: ({ time, idealTime = NaN }) => time / idealTime,
	/** Percentage of all requests, including logins, that completed no item. */
	wasted: ({ service }) => 100 * (1 - service.distinct / (service.requests + service.logins)),
	/** Seconds. */
	singleMedian: ({ singles = [NaN] }) => medianOf(singles) / 1000,
	singleWorst: ({ singles = [NaN] }) => Math.max(...singles) / 1000,
} satisfies Record<string, (measurement: Measurement) => number>;

/** A variant's time, throughput and memory divided by those of another one in the same rounds. */
export function compare(rounds: Measurement[], otherRounds: Measurement[]): string {
	return (['seconds', 'throughput', 'peakMemory'] as const)
		.map((id) => ({ id, ratios: rounds.map((round, index) => METRICS[id](round) / METRICS[id](otherRounds[index]!)) }))
		.filter(({ ratios }) => ratios.every(Number.isFinite))
		.map(({ id, ratios }) => `${id} ${formatSpread(ratios)}`)
		.join(', ');
}

/** What was measured of a variant, in words, by metric. */
export function summarize(rounds: Measurement[]): Record<string, string> {
	const all = Object.entries(METRICS).map(([id, metric]) => [id, rounds.map(metric)] as const);
	return Object.fromEntries(
		all.filter(([, values]) => values.every(Number.isFinite)).map(([id, values]) => [id, formatSpread(values)]),
	);
}
