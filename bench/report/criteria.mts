import { N8N_VERSIONS } from '../../scripts/install/n8nVersions.mts';
import { type MetricId, metricOf, number, percent, ratio, readMetric, spread, withSpread } from '../metrics.mts';
import type { Counters, Results, ScenarioResult } from '../results.mts';
import type { Variant } from '../scenarios.mts';

/** Whether a criterion holds, and by which figure; undefined where it was not measured. */
type Checked = { holds: boolean; figure: string } | undefined;

/** only: the one version of n8n that it is for; profile: the scenario whose profile shows what keeps it from holding; because: what that is */
export interface Criterion {
	text: string;
	check: (results: Results) => Checked;
	only?: string;
	profile?: string;
	because?: string;
}

/** How many times as much one variant has of a metric as another. */
type Ratio = [scenario: string, metric: MetricId, variant: string, other: string];

/** A metric, the most that it may be, and what follows its figure. */
type Limit = [metric: MetricId, most: number, unit?: string];

const US = 'voiceAdmin';

function of(scenario: string, check: (result: ScenarioResult) => Checked) {
	return ({ scenarios: { [scenario]: result } }: Results) => result && check(result);
}

function ofRatio([scenario, metric, variant, other]: Ratio, holds: (times: number) => boolean) {
	return of(scenario, (result) => {
		const times = ratio(result, variant, other, metric);
		return Number.isNaN(times.median) ? undefined : { holds: holds(times.median), figure: withSpread(times) };
	});
}

const atLeast = (text: string, least: number, times: Ratio): Criterion => ({ text, profile: times[0], check: ofRatio(times, (value) => value >= least) });
const atMost = (text: string, most: number, times: Ratio, more?: Partial<Criterion>): Criterion => ({
	text,
	check: ofRatio(times, (value) => value <= most),
	...more,
});

function within(text: string, scenario: string, variant: string, limits: Limit[]): Criterion {
	const check = of(scenario, (result) => {
		const checked = limits.map(([id, most, unit]) => ({ ...readMetric(result, variant, id), most, unit }));
		const failed = metricOf(result, variant, 'failedCalls').max;
		const figure = checked.map((one) => [one.text, one.unit].filter(Boolean).join(' ')).join(', ');
		const holds = checked.every(({ value, most }) => value <= most);
		return { holds, figure: failed > 0 ? `${figure} (n8n itself failed ${number(failed)} calls)` : figure };
	});
	return { text: `Behind ${text}`, check };
}

/** Executions at once, with a share of requests that may be wasted; ideal: times the ideal time at most. */
function concurrent(executions: string, scenario: string, variant: string, wasted: number, ideal = Infinity): Criterion {
	const text = `that limit, ${executions}: nothing lost, at most ${percent(wasted)} wasted${ideal < Infinity ? `, at most ${ideal} times the ideal time` : ''}`;
	return within(text, scenario, variant, [['lost', 0, 'lost'], ['rateLimited', wasted, 'wasted'], ['timesIdeal', ideal, 'times']]);
}

/** A criterion about all runs of this package's node where a process has one execution: in a server many share requests in flight and logins. */
function everyRun(text: string, isAbout: (credential: string) => boolean, check: (runs: Array<Counters & { most: number }>) => Checked): Criterion {
	const runsOf = ({ scenario, rounds }: ScenarioResult) => {
		const variants = scenario.server || !isAbout(scenario.credential) ? [] : scenario.variants.filter(({ contender }) => contender === US);
		// 200 is the option's default.
		return variants.flatMap(({ id, inFlight = 200 }) => rounds.flatMap(({ [id]: run }) => (run ? [{ ...run.service, most: inFlight }] : [])));
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

const floor = (times: number, only?: string) =>
	atMost(`At most ${times} times the time of n8n's floor, at 1,000 items and 50 ms, warm`, times, ['get-warm', 'seconds', US, 'floor'], { only, profile: 'get-warm' });

export const CRITERIA: Criterion[] = [
	atLeast("At least 2.0 times the HTTP Request node's throughput, at 1,000 items and 50 ms, warm", 2, ['get-warm', 'throughput', US, 'httpRequest']),
	atLeast("At least 2.0 times the HTTP Request node's throughput, at 1,000 items and 50 ms, cold", 2, ['get-cold', 'throughput', US, 'httpRequest']),
	atLeast("At least 2.5 times the plain declarative node's throughput, at 1,000 items and 50 ms, cold", 2.5, ['get-cold', 'throughput', US, 'plain']),
	atLeast("At least 1.2 times the HTTP Request node's throughput at 300 ms", 1.2, ['latency-300', 'throughput', US, 'httpRequest']),
	floor(1.15, N8N_VERSIONS[0]?.version),
	floor(1.2, N8N_VERSIONS.at(-1)?.version),
	atLeast('One item with 200 countries at least 2 times faster than 200 HTTP Request items, at 5 ms', 2, ['bulk', 'seconds', 'httpRequest', US]),
	atMost('10,000 items take at most 11 times as long as 1,000', 11, ['items-10000', 'seconds', US, 'voiceAdmin-1000'], { profile: 'items-10000' }),
	everyRun('Requests in flight never exceed the option', () => true, (runs) => {
		const over = runs.find(({ peakInFlight, most }) => peakInFlight > most);
		return { holds: !over, figure: over ? `${over.peakInFlight} with ${over.most} allowed` : `never in ${number(runs.length)} runs` };
	}),
	atMost("Peak memory no higher than the HTTP Request node's, at 1,000 items", 1, ['get-warm', 'peakMemory', US, 'httpRequest']),
	atMost("Peak memory no higher than the HTTP Request node's, at 10,000 items", 1, ['items-10000', 'peakMemory', US, 'httpRequest']),
	everyRun('One login for any run from cold', (credential) => credential === 'cold', (runs) => ({
		holds: runs.every(({ logins }) => logins === 1),
		figure: [...new Set(runs.map(({ logins }) => logins))].join(', '),
	})),
	within('a limit of 100 requests a second: no item lost', 'limiter', US, [['lost', 0]]),
	within('that limit: at most 10 % of requests wasted', 'limiter', US, [['wasted', 0.1]]),
	{
		text: 'Behind that limit: no slower than the HTTP Request node with batching tuned by hand',
		profile: 'limiter',
		because:
			'Both are as fast as the service lets them be once they send, and lose nothing. But n8n’s executor prepares all items of this node before the first request leaves, during which nothing is sent; the HTTP Request node with batching sends while it goes.',
		check: of('limiter', (result) => {
			const tuned = fastestBatching(result);
			if (!tuned) return { holds: true, figure: 'every batching tried lost items' };
			const slower = ratio(result, US, tuned.id, 'seconds');
			return { holds: slower.median <= 1, figure: `${withSpread(slower)} of ${tuned.name}` };
		}),
	},
	concurrent('5 executions of 400 items at once', 'crowd', 'voiceAdmin-5x400', 0.03, 1.15),
	concurrent('20 executions of 100 items at once', 'crowd', 'voiceAdmin-20x100', 0.03, 1.15),
	concurrent('100 executions of 20 items at once', 'crowd', 'voiceAdmin-100x20', 0.03, 1.15),
	concurrent('1,000 executions of one item at once', 'crowd', 'voiceAdmin-1000x1', 0.05),
	concurrent('1,000 executions of one item at once, in an n8n with PostgreSQL', 'crowd-postgres', 'voiceAdmin-1000x1', 0.05),
	concurrent('10 executions of 400 items at once, on two workers', 'workers', 'voiceAdmin-10x400', 0.1),
	within(
		'that limit, single items beside bulk, once n8n has prepared it: answered after 0.4 s at most (median) and 2 s (worst), none failed',
		'beside-bulk',
		US,
		[['singleMedian', 400, 'ms'], ['singleWorst', 2_000, 'ms'], ['failedSingles', 0, 'failed']],
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
