import type { N8N_VERSIONS } from '../../scripts/install/n8nVersions.mts';
import { type MetricId, metricOf, number, percent, ratio, withSpread } from '../metrics.mts';
import type { Counters, Results, ScenarioResult } from '../results.mts';
import { SCENARIOS } from '../scenarios.mts';

/** Whether a criterion holds, and by which figure; undefined where it was not measured. */
type Checked = { holds: boolean; figure: string } | undefined;

export interface Criterion {
	text: string;
	check: (results: Results) => Checked;
}

/** How much something may be at most, or must be at least: on any n8n, or on each version. */
type Bound = number | Record<(typeof N8N_VERSIONS)[number]['version'], number>;

/** How many times as much one variant has of a metric as another. */
type Ratio = [scenario: string, metric: MetricId, variant: string, other: string];

/** A metric, the most that it may be, what follows its figure, and how that is written: the median of the rounds without it. */
type Limit = [metric: MetricId, most: Bound, unit?: string, as?: 'most' | 'percent'];

const US = 'voiceAdmin';
const MAX_CONCURRENCY = 200;

const boundOn = (n8n: string, bound: Bound) => (typeof bound === 'number' ? bound : ((bound as Record<string, number>)[n8n] ?? NaN));

function timesText(bound: Bound): string {
	const times = (value: number) => `${value.toLocaleString('en-US', { minimumFractionDigits: 1 })} times`;
	if (typeof bound === 'number') return times(bound);
	return Object.entries(bound).map(([n8n, value]) => `${times(value)} (n8n ${n8n})`).join(' or ');
}

function of(scenario: string, check: (result: ScenarioResult, n8n: string) => Checked) {
	return ({ n8n, scenarios: { [scenario]: result } }: Results) => result && check(result, n8n);
}

function ofRatio(text: string, bound: Bound, [scenario, metric, variant, other]: Ratio, least = false): Criterion {
	const check = of(scenario, (result, n8n) => {
		const times = ratio(result, variant, other, metric);
		if (Number.isNaN(times.median)) return undefined;
		const limit = boundOn(n8n, bound);
		return { holds: least ? times.median >= limit : times.median <= limit, figure: withSpread(times) };
	});
	return { text, check };
}

const atLeast = (text: string, least: Bound, times: Ratio) => ofRatio(text, least, times, true);
const atMost = (text: string, most: Bound, times: Ratio) => ofRatio(text, most, times);

function within(text: string, scenario: string, variant: string, limits: Limit[]): Criterion {
	const check = of(scenario, (result, n8n) => {
		let holds = true;
		const figures = limits.map(([metric, most, unit = '', as]) => {
			const measured = metricOf(result, variant, metric);
			const value = as === 'most' ? measured.max : measured.median;
			holds &&= value <= boundOn(n8n, most);
			return `${as === 'most' ? number(value) : as === 'percent' ? percent(value) : withSpread(measured)} ${unit}`.trim();
		});
		const failed = metricOf(result, variant, 'failedCalls').max;
		return { holds, figure: figures.join(', ') + (failed > 0 ? ` (n8n itself failed ${number(failed)} calls)` : '') };
	});
	return { text, check };
}

/** Executions at once, with a share of requests that may be wasted; ideal: times the ideal time at most. */
function concurrent(executions: string, scenario: string, variant: string, wasted: number, ideal: Bound = Infinity): Criterion {
	const inTime = ideal === Infinity ? '' : `, at most ${timesText(ideal)} the ideal time`;
	const text = `Behind that limit, ${executions}: nothing lost, at most ${percent(wasted)} wasted${inTime}`;
	const limits: Limit[] = [['lost', 0, 'lost', 'most'], ['rateLimited', wasted, 'wasted', 'percent'], ['timesIdeal', ideal, 'times']];
	return within(text, scenario, variant, limits);
}

/**
 * A criterion about all runs of this package's node where a process has one execution: in a server many share requests in
 * flight and logins.
 */
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

/** This node beside the fastest of the HTTP Request node's batch settings that lost no item in any round. */
function besideTuned(result: ScenarioResult): Checked {
	const lossless = result.scenario.variants.filter(({ id, batching }) => batching && metricOf(result, id, 'lost').max === 0);
	const seconds = ({ id }: { id: string }) => metricOf(result, id, 'seconds').median;
	const [tuned] = lossless.sort((a, b) => seconds(a) - seconds(b));
	if (!tuned) return { holds: true, figure: 'every batching tried lost items' };
	const slower = ratio(result, US, tuned.id, 'seconds');
	return { holds: slower.median <= 1, figure: `${withSpread(slower)} of ${tuned.name}` };
}

const OPERATIONS = ['get-warm', 'set-premium', 'add-customer'];
const conditionsOf = (scenario: string) => `at 1,000 items and 50 ms: ${SCENARIOS[scenario]!.title}`;

const LEAST_THROUGHPUT: Bound = { '2.8.4': 3, '2.41.1': 7 };
const MOST_OF_FLOOR: Bound = { '2.8.4': 1.1, '2.41.1': 1 };

export const CRITERIA: Criterion[] = [
	...OPERATIONS.map((id) => {
		const text = `At least ${timesText(LEAST_THROUGHPUT)} the HTTP Request node's throughput, ${conditionsOf(id)}`;
		return atLeast(text, LEAST_THROUGHPUT, [id, 'throughput', US, 'httpRequest']);
	}),
	...Object.entries({ 'HTTP Request': ['httpRequest', 2], 'plain declarative': ['plain', 2.5] } as const).map(([name, [other, least]]) => {
		const text = `At least ${timesText(least)} the ${name} node's throughput, at 1,000 items and 50 ms, cold`;
		return atLeast(text, least, ['get-cold', 'throughput', US, other]);
	}),
	...OPERATIONS.map((id) => {
		const text = `At most ${timesText(MOST_OF_FLOOR)} the time of n8n's floor, ${conditionsOf(id)}`;
		return atMost(text, MOST_OF_FLOOR, [id, 'seconds', US, 'floor']);
	}),
	atLeast('One item with 200 countries at least 2 times faster than 200 HTTP Request items, at 5 ms', 2, [
		'bulk', 'seconds', 'httpRequest', US,
	]),
	atMost('10,000 items take at most 10.5 times as long as 1,000', 10.5, ['items-10000', 'seconds', US, 'voiceAdmin-1000']),
	within('50,000 items in one execution: nothing lost', 'items-50000', US, [['lost', 0, 'lost', 'most']]),
	{
		text: 'While 10,000 items run, n8n answers a health check at most 250 ms later than while it runs nothing',
		check: of('health-check', (result) => {
			const worst = (variant: string) => metricOf(result, variant, 'healthWorst').max;
			const later = Math.max(0, worst(US) - worst('idle'));
			return { holds: later <= 250, figure: `${number(later)} ms` };
		}),
	},
	everyRun(`Requests in flight never exceed the option's default of ${MAX_CONCURRENCY}`, (runs) => {
		const most = Math.max(...runs.map(({ peakInFlight }) => peakInFlight));
		return { holds: most <= MAX_CONCURRENCY, figure: `${most} at most, in ${number(runs.length)} runs` };
	}),
	...Object.entries({ '1,000': 'get-warm', '10,000': 'items-10000' }).map(([items, id]) =>
		atMost(`Peak memory at most 0.8 times the HTTP Request node's, at ${items} items`, 0.8, [id, 'peakMemory', US, 'httpRequest']),
	),
	everyRun('One login for any run', (runs) => {
		const logins = [...new Set(runs.map((run) => run.logins))];
		return { holds: logins.every((count) => count === 1), figure: logins.join(', ') };
	}),
	within('Behind a limit of 100 requests a second: no item lost', 'limiter', US, [['lost', 0, '', 'most']]),
	within('Behind that limit: at most 10 % of requests wasted', 'limiter', US, [['wasted', 0.1, '', 'percent']]),
	{ text: 'Behind that limit: no slower than the HTTP Request node with batching tuned by hand', check: of('limiter', besideTuned) },
	concurrent('5 executions of 400 items at once', 'crowd', 'voiceAdmin-5x400', 0.03, { '2.8.4': 1.15, '2.41.1': 1.12 }),
	concurrent('100 executions of 20 items at once', 'crowd', 'voiceAdmin-100x20', 0.03, 1.15),
	concurrent('1,000 executions of one item at once', 'crowd', 'voiceAdmin-1000x1', 0.05),
	concurrent('10 executions of 400 items at once, on two workers', 'workers', 'voiceAdmin-10x400', 0.1),
	within(
		'Behind that limit, single items beside bulk: answered after 200 ms at most (median) and 1.5 s (worst), none failed',
		'beside-bulk',
		US,
		[['singleMedian', 200, 'ms'], ['singleWorst', 1_500, 'ms', 'most'], ['failedSingles', 0, 'failed', 'most']],
	),
];
