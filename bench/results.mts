import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CACHE } from '../scripts/bootstrap/paths.mjs';
import type { Scenario } from './scenarios.mts';

/** What the service counted. requests: without logins; different: those with a good reply, the same ones counted once */
export type Counters = Record<'requests' | 'logins' | 'different', number>;

/** What a run says of itself. Times in ms, memory in bytes. */
export interface Outcome {
	/** Of the node, as n8n has it; in a server from the first call to the last reply. */
	time: number;
	/** Items that came out without an error, of how many (of the scenario's without it). */
	good: number;
	items?: number;
	/** Of the process, until the node's end. */
	peakMemory?: number;
	/** On which the node stopped. */
	error?: string;
	/** In a server: what the service's limit alone would take. */
	ideal?: number;
}

/** One run of one variant. */
export interface Measurement extends Outcome {
	items: number;
	service: Counters;
}

export interface ScenarioResult {
	measuredAt: string;
	machine: ReturnType<typeof thisMachine>;
	scenario: Scenario;
	/** By the variant's id. */
	rounds: Array<Record<string, Measurement>>;
}

/** What was measured on one version of n8n: a scenario that is measured again replaces the one before. */
export interface Results {
	n8n: string;
	scenarios: Record<string, ScenarioResult>;
}

/** Where something is measured; memory in bytes, node: the version of the Node that runs n8n. */
export function thisMachine({ bin }: { bin: string }) {
	const cores = os.cpus();
	const processor = cores[0]?.model.trim() ?? 'unknown';
	const node = spawnSync(bin, ['--version'], { encoding: 'utf8' }).stdout.trim().replace(/^v/, '');
	return { processor, cores: cores.length, memory: os.totalmem(), system: `${os.type()} ${os.release()} ${os.arch()}`, node };
}

/** Everything that the benchmark writes, but for the report. */
export const BENCH = path.join(CACHE, 'bench');

const fileOf = (version: string) => path.join(BENCH, `results-${version}.json`);

/** The results on a version of n8n; without any where nothing was measured. */
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

/** How many times as much one variant has of a metric as another: taken in each round, so that both stand for the same minute of the machine. */
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
