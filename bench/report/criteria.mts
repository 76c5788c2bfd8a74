import type { N8N_VERSIONS } from '../../scripts/install/n8nVersions.mts';
import { type MetricId, metricOf, number, percent, ratio, readMetric, spread, withSpread } from '../metrics.mts';
import type { Counters, Results, ScenarioResult } from '../results.mts';
import { SCENARIOS, type Variant } from '../scenarios.mts';

/** Whether a criterion holds, and by which figure; undefined where it was not measured. */
type Checked = { holds: boolean; figure: string } | undefined;

export interface Criterion {
	text: string;
	check: (results: Results) => Checked;
}

/** How much something may be at most, or must be at least: on any n8n, or on each version. */
type Bound = number | Record<(typeof N8N_VERSIONS)[number]['version'], number>;

const boundOn = (n8n: string, bound: Bound) => (typeof bound === 'number' ? bound : ((bound as Record<string, number>)[n8n] ?? NaN));

function timesText(bound: Bound): string {
	const times = (value: number) => `${value.toLocaleString('en-US', { minimumFractionDigits: 1 })} times`;
	if (typeof bound === 'number') return times(bound);
	return Object.entries(bound).map(([n8n, value]) => `${times(value)} (n8n ${n8n})`).join(' or ');
}

/** How many times as much one variant has of a metric as another. */
type Ratio = [scenario: string, metric: MetricId, variant: string, other: string];

/** A metric, the most that it may be, and what follows its figure. */
type Limit = [metric: MetricId, most: Bound, unit?: string];

const US = 'voiceAdmin';
const MAX_CONCURRENCY = 200;

function of(scenario: string, check: (result: ScenarioResult, n8n: string) => Checked) {
	return ({ n8n, scenarios: { [scenario]: result } }: Results) => result && check(result, n8n);
}

function ofRatio(text: string, bound: Bound, [scenario, metric, variant, other]: Ratio, holds: (times: number, bound: number) => boolean): Criterion {
	const check = of(scenario, (result, n8n) => {
		const times = ratio(result, variant, other, metric);
		return Number.isNaN(times.median) ? undefined : { holds: holds(times.median, boundOn(n8n, bound)), figure: withSpread(times) };
	});
	return { text, check };
}

const atLeast = (text: string, least: Bound, times: Ratio) => ofRatio(text, least, times, (value, bound) => value >= bound);
const atMost = (text: string, most: Bound, times: Ratio) => ofRatio(text, most, times, (value, bound) => value <= bound);

function within(text: string, scenario: string, variant: string, limits: Limit[]): Criterion {
	const check = of(scenario, (result, n8n) => {
		const checked = limits.map(([id, most, unit]) => ({ ...readMetric(result, variant, id), most: boundOn(n8n, most), unit }));
		const failed = metricOf(result, variant, 'failedCalls').max;
		const figure = checked.map((one) => [one.text, one.unit].filter(Boolean).join(' ')).join(', ');
		const holds = checked.every(({ value, most }) => value <= most);
		return { holds, figure: failed > 0 ? `${figure} (n8n itself failed ${number(failed)} calls)` : figure };
	});
	return { text, check };
}

/** Executions at once, with a share of requests that may be wasted; ideal: times the ideal time at most. */
function concurrent(executions: string, scenario: string, variant: string, wasted: number, ideal: Bound = Infinity): Criterion {
	const inTime = ideal === Infinity ? '' : `, at most ${timesText(ideal)} the ideal time`;
	const text = `Behind that limit, ${executions}: nothing lost, at most ${percent(wasted)} wasted${inTime}`;
	return within(text, scenario, variant, [['lost', 0, 'lost'], ['rateLimited', wasted, 'wasted'], ['timesIdeal', ideal, 'times']]);
}

/** A criterion about all runs of this package's node where a process has one execution: in a server many share requests in flight and logins. */
function everyRun(text: string, check: (runs: Counters[]) => Checked): Criterion {
	const runsOf = ({ scenario, rounds }: ScenarioResult) => {
		const variants = scenario.server ? [] : scenario.variants.filter(({ contender }) => contender === US);
		return variants.flatMap(({ id }) => rounds.flatMap(({ [id]: run }) => (run ? [run.service] : [])));
	};
	return {
		text,
		check: ({ scenarios }) => {
			const runs = Object.values(scenarios).flatMap(runsOf);
			return runs.length > 0 ? check(runs) : undefined;
		},
	};
}

/** The fastest of the HTTP Request node's batch settings that lost no item in any round. */
function fastestBatching(result: ScenarioResult): Variant | undefined {
	const lossless = result.scenario.variants.filter(({ id, batching }) => batching && metricOf(result, id, 'lost').max === 0);
	const seconds = ({ id }: Variant) => metricOf(result, id, 'seconds').median;
	return lossless.sort((a, b) => seconds(a) - seconds(b))[0];
}

/** For each operation. */
const forEachOperation = (criterion: (scenario: string, conditions: string) => Criterion): Criterion[] =>
	['get-warm', 'set-premium', 'add-customer'].map((id) => criterion(id, `at 1,000 items and 50 ms: ${SCENARIOS[id]?.title}`));

const LEAST_THROUGHPUT: Bound = { '2.8.4': 3, '2.41.1': 7 };
const MOST_OF_FLOOR: Bound = { '2.8.4': 1.1, '2.41.1': 1 };

export const CRITERIA: Criterion[] = [
	...forEachOperation((scenario, conditions) =>
		atLeast(`At least ${timesText(LEAST_THROUGHPUT)} the HTTP Request node's throughput, ${conditions}`, LEAST_THROUGHPUT, [scenario, 'throughput', US, 'httpRequest']),
	),
	atLeast("At least 2.0 times the HTTP Request node's throughput, at 1,000 items and 50 ms, cold", 2, ['get-cold', 'throughput', US, 'httpRequest']),
	atLeast("At least 2.5 times the plain declarative node's throughput, at 1,000 items and 50 ms, cold", 2.5, ['get-cold', 'throughput', US, 'plain']),
	...forEachOperation((scenario, conditions) =>
		atMost(`At most ${timesText(MOST_OF_FLOOR)} the time of n8n's floor, ${conditions}`, MOST_OF_FLOOR, [scenario, 'seconds', US, 'floor']),
	),
	atLeast('One item with 200 countries at least 2 times faster than 200 HTTP Request items, at 5 ms', 2, ['bulk', 'seconds', 'httpRequest', US]),
	atMost('10,000 items take at most 10.5 times as long as 1,000', 10.5, ['items-10000', 'seconds', US, 'voiceAdmin-1000']),
	within('50,000 items in one execution: nothing lost', 'items-50000', US, [['lost', 0, 'lost']]),
	{
		text: 'While 10,000 items run, n8n answers a health check at most 250 ms later than while it runs nothing',
		check: of('health-check', (result) => {
			const later = Math.max(0, metricOf(result, US, 'healthWorst').max - metricOf(result, 'idle', 'healthWorst').max);
			return { holds: later <= 250, figure: `${number(later)} ms` };
		}),
	},
	everyRun(`Requests in flight never exceed the option's default of ${MAX_CONCURRENCY}`, (runs) => {
		const most = Math.max(...runs.map(({ peakInFlight }) => peakInFlight));
		return { holds: most <= MAX_CONCURRENCY, figure: `${most} at most, in ${number(runs.length)} runs` };
	}),
	atMost("Peak memory at most 0.8 times the HTTP Request node's, at 1,000 items", 0.8, ['get-warm', 'peakMemory', US, 'httpRequest']),
	atMost("Peak memory at most 0.8 times the HTTP Request node's, at 10,000 items", 0.8, ['items-10000', 'peakMemory', US, 'httpRequest']),
	everyRun('One login for any run', (runs) => ({
		holds: runs.every(({ logins }) => logins === 1),
		figure: [...new Set(runs.map(({ logins }) => logins))].join(', '),
	})),
	within('Behind a limit of 100 requests a second: no item lost', 'limiter', US, [['lost', 0]]),
	within('Behind that limit: at most 10 % of requests wasted', 'limiter', US, [['wasted', 0.1]]),
	{
		text: 'Behind that limit: no slower than the HTTP Request node with batching tuned by hand',
		check: of('limiter', (result) => {
			const tuned = fastestBatching(result);
			if (!tuned) return { holds: true, figure: 'every batching tried lost items' };
			const slower = ratio(result, US, tuned.id, 'seconds');
			return { holds: slower.median <= 1, figure: `${withSpread(slower)} of ${tuned.name}` };
		}),
	},
	concurrent('5 executions of 400 items at once', 'crowd', 'voiceAdmin-5x400', 0.03, { '2.8.4': 1.15, '2.41.1': 1.12 }),
	concurrent('100 executions of 20 items at once', 'crowd', 'voiceAdmin-100x20', 0.03, 1.15),
	concurrent('1,000 executions of one item at once', 'crowd', 'voiceAdmin-1000x1', 0.05),
	concurrent('10 executions of 400 items at once, on two workers', 'workers', 'voiceAdmin-10x400', 0.1),
	within(
		'Behind that limit, single items beside bulk: answered after 200 ms at most (median) and 1.5 s (worst), none failed',
		'beside-bulk',
		US,
		[['singleMedian', 200, 'ms'], ['singleWorst', 1_500, 'ms'], ['failedSingles', 0, 'failed']],
	),
	{
		text: 'The package loads within 50 ms',
		check: ({ installed }) => installed && { holds: spread(installed.load).median <= 50, figure: `${withSpread(spread(installed.load))} ms` },
	},
	{
		text: 'The tarball has at most 60 KB',
		check: ({ installed }) => installed && { holds: installed.tarball <= 60_000, figure: `${number(installed.tarball / 1000)} kB` },
	},
];
