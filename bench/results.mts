import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CACHE } from '../scripts/bootstrap/paths.mjs';
import type { Scenario } from './scenarios.mts';

/** What the service counted. requests: without logins; rejected: with a 429; different: distinct successful requests */
export type Counters = Record<'requests' | 'logins' | 'rejected' | 'different', number>;

/** What a run reports. Times in ms, memory in bytes. */
export interface Outcome {
	/** The node's execution time in n8n; in a server, from the first call to the last response. */
	time: number;
	/** Items without an error, and items in all (by default the scenario's). */
	good: number;
	items?: number;
	/** Of the process, until the node's end. */
	peakMemory?: number;
	/** The longest time, in ms, in which n8n did nothing else, such as respond to its editor. */
	silence?: number;
	/** That stopped the node. */
	error?: string;
	/** In a server: the time that the service's rate limit alone would take. */
	ideal?: number;
	/** How long each execution of a single item took beside the others, in ms. */
	singles?: number[];
}

/** A run of a variant. */
export interface Measurement extends Outcome {
	items: number;
	service: Counters;
}

export interface ScenarioResult {
	measuredAt: string;
	machine: ReturnType<typeof describeMachine>;
	scenario: Scenario;
	/** By the variant's id. */
	rounds: Array<Record<string, Measurement>>;
}

/** The latest result of each scenario on one version of n8n. */
export interface Results {
	n8n: string;
	scenarios: Record<string, ScenarioResult>;
}

/** Describes the machine; memory in bytes. @param bin of the Node that runs n8n */
export function describeMachine({ bin }: { bin: string }) {
	const cores = os.cpus();
	const processor = cores[0]?.model.trim() ?? 'unknown';
	const node = spawnSync(bin, ['--version'], { encoding: 'utf8' }).stdout.trim().replace(/^v/, '');
	return {
		processor,
		cores: cores.length,
		memory: os.totalmem(),
		system: `${os.type()} ${os.release()} ${os.arch()}`,
		node,
	};
}

/** Everything that the benchmark writes, except the report. */
export const BENCH = path.join(CACHE, 'bench');

const fileOf = (version: string) => path.join(BENCH, `results-${version}.json`);

/** The saved results on a version of n8n; no scenarios if there are none. */
export function readResults(version: string): Results {
	const file = fileOf(version);
	return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : { n8n: version, scenarios: {} };
}

export function saveResult(version: string, id: string, result: ScenarioResult): void {
	const results = readResults(version);
	results.scenarios[id] = result;
	mkdirSync(BENCH, { recursive: true });
	writeFileSync(fileOf(version), `${JSON.stringify(results, null, '\t')}\n`);
}

/** Formats a number with about three significant digits: 0.12, 1.23, 12.3, 1,234. */
export function formatNumber(value: number): string {
	const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
	return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export type Spread = Record<'median' | 'min' | 'max', number>;

export function spreadOf(values: number[]): Spread {
	const inOrder = [...values].sort((a, b) => a - b);
	const at = (index: number) => inOrder[index] ?? NaN;
	const middle = (values.length - 1) / 2;
	const median = (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
	return { median, min: at(0), max: at(values.length - 1) };
}

/** Formats a median with the range of the rounds. */
export function formatSpread(values: Spread): string {
	const [median, min, max] = [values.median, values.min, values.max].map(formatNumber);
	return min === max ? `${median}` : `${median} (${min}–${max})`;
}

/** Computed from a measurement; NaN if it was not measured. docs/benchmarks.json has all of them. */
const METRICS = {
	seconds: ({ time }) => time / 1000,
	/** Items per second; a request that was sent several times counts once. */
	throughput: ({ good, time }) => good / (time / 1000),
	logins: ({ service }) => service.logins,
	/** MB. */
	peakMemory: ({ peakMemory = NaN }) => peakMemory / 1e6,
	/** Milliseconds. */
	silence: ({ silence = NaN }) => silence,
	lost: ({ items, good }) => items - good,
	/** Relative to the time that the service's rate limit alone would take. */
	timesIdeal: ({ time, ideal = NaN }) => time / ideal,
	/** Percentage of all requests, including logins, that completed no item. */
	wasted: ({ service }) => 100 * (1 - service.different / (service.requests + service.logins)),
	/** Percentage of the requests that got a 429. */
	rejected: ({ service }) => (100 * service.rejected) / service.requests,
	/** Seconds. */
	singleMedian: ({ singles = [] }) => spreadOf(singles).median / 1000,
	singleWorst: ({ singles = [] }) => spreadOf(singles).max / 1000,
} satisfies Record<string, (measured: Measurement) => number>;

export type MetricId = keyof typeof METRICS;

/** A variant's metric in each round; NaN if the saved results are older than the variant. */
function inRounds({ rounds }: ScenarioResult, variant: string, metric: MetricId): number[] {
	return rounds.map(({ [variant]: measured }) => (measured ? METRICS[metric](measured) : NaN));
}

export const metricOf = (result: ScenarioResult, variant: string, metric: MetricId): Spread =>
	spreadOf(inRounds(result, variant, metric));

/** The ratio of two variants' metrics, computed per round, so that both were measured within minutes of each other. */
export function ratioOf(result: ScenarioResult, variant: string, other: string, metric: MetricId): Spread {
	const others = inRounds(result, other, metric);
	return spreadOf(inRounds(result, variant, metric).map((value, round) => value / (others[round] ?? NaN)));
}

/** The measured metrics of a variant: [median, lowest, highest] of the rounds, with four significant digits. */
export function summaryOf(result: ScenarioResult, variant: string): Record<string, number[]> {
	const rounded = (value: number) => Number(value.toPrecision(4));
	const all = (Object.keys(METRICS) as MetricId[]).map((id) => [id, metricOf(result, variant, id)] as const);
	const measured = all.filter(([, { median }]) => Number.isFinite(median));
	return Object.fromEntries(measured.map(([id, { median, min, max }]) => [id, [median, min, max].map(rounded)]));
}
