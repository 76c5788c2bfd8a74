import { type MetricId, metricOf, ratio, type Spread, spread } from '../metrics.mts';
import type { Results, ScenarioResult } from '../results.mts';

/** bound: for every version of n8n, or each one's own; without one a figure is there to compare. */
type Target = { unit: string; bound?: number | Record<string, number>; isLeast?: boolean };

/** Of what was measured on one n8n; undefined where it was not measured. */
type Value = (results: Results) => Spread | undefined;

export type Criterion = [text: string, target: Target, value: Value];

const US = 'voiceAdmin';

function of(scenario: string, value: (result: ScenarioResult) => Spread): Value {
	return ({ scenarios: { [scenario]: result } }) => result && value(result);
}

/** How many times as much of a metric one variant has as another. */
function times(scenario: string, metric: MetricId, other: string, variant = US): Value {
	return of(scenario, (result) => ratio(result, variant, other, metric));
}

const median = (scenario: string, metric: MetricId, variant = US) => of(scenario, (result) => metricOf(result, variant, metric));

/** In any round. */
function worst(scenario: string, metric: MetricId, variant = US): Value {
	return of(scenario, (result) => spread([metricOf(result, variant, metric).max]));
}

const atLeast = (unit: string, bound: Target['bound']): Target => ({ unit, bound, isLeast: true });
const atMost = (unit: string, bound: Target['bound']): Target => ({ unit, bound });
const compared: Target = { unit: 'times' };
const none = atMost('items', 0);

const OPERATIONS = { 'get-warm': 'Get Gateway', 'set-premium': 'Set Premium', 'add-customer': 'Add Customer' };

/** Executions at once behind the limit, with the requests that may be wasted in percent, and how far the ideal time may be. */
function atOnce(executions: string, scenario: string, variant: string, wasted: number, ideal?: Target['bound']): Criterion[] {
	const text = `Behind 100 requests a second, ${executions} at once`;
	return [
		[`${text}: lost`, none, worst(scenario, 'lost', variant)],
		[`${text}: requests wasted`, atMost('%', wasted), median(scenario, 'wasted', variant)],
		[`${text}: time beside the ideal`, atMost('times', ideal), median(scenario, 'timesIdeal', variant)],
	];
}

export const CRITERIA: Criterion[] = [
	...Object.entries(OPERATIONS).map(([id, operation]): Criterion => {
		const text = `Throughput beside the HTTP Request node: ${operation}, 1,000 items, 50 ms, warm`;
		return [text, atLeast('times', { '2.8.4': 3, '2.41.1': 7 }), times(id, 'throughput', 'httpRequest')];
	}),
	['The same: Get Gateway, cold', atLeast('times', 2), times('get-cold', 'throughput', 'httpRequest')],
	['Throughput beside the plain declarative node: Get Gateway, cold', atLeast('times', 2.5), times('get-cold', 'throughput', 'plain')],
	...Object.entries(OPERATIONS).map(([id, operation]): Criterion => {
		const text = `Time beside n8n's floor: ${operation}, 1,000 items, 50 ms, warm`;
		return [text, atMost('times', { '2.8.4': 1.1, '2.41.1': 1 }), times(id, 'seconds', 'floor')];
	}),
	[
		"The HTTP Request node's time beside n8n's floor: Get Gateway, 1,000 items, 50 ms, warm",
		compared,
		times('get-warm', 'seconds', 'floor', 'httpRequest'),
	],
	['Time for 10,000 items beside 1,000', atMost('times', 10.5), times('items-10000', 'seconds', 'voiceAdmin-1000')],
	['Time beside the HTTP Request node: 2,000 items, replies after 1.5 s', compared, times('slow-replies', 'seconds', 'httpRequest')],
	["Requests in flight, replies after 1.5 s: no more than the option's default", atMost('', 200), worst('slow-replies', 'peakInFlight')],
	['Logins for 10,000 items', atMost('', 1), worst('items-10000', 'logins')],
	...Object.entries({ '1,000': 'get-warm', '10,000': 'items-10000' }).map(([items, id]): Criterion => {
		return [`Peak memory beside the HTTP Request node, ${items} items`, atMost('times', 0.8), times(id, 'peakMemory', 'httpRequest')];
	}),
	...atOnce('5 executions of 400 items', 'crowd', 'voiceAdmin-5x400', 3, { '2.8.4': 1.15, '2.41.1': 1.12 }),
	...atOnce('100 executions of 20 items', 'crowd', 'voiceAdmin-100x20', 3, 1.15),
	...atOnce('1,000 executions of one item', 'crowd', 'voiceAdmin-1000x1', 5),
];
