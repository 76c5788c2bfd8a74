import { type MetricId, metricOf, ratio, type Results, type ScenarioResult, type Spread, spread } from '../results.mts';

/** bound: for every version of n8n, or per version; without one, the figure is only for comparison. */
type Target = { unit: string; bound?: number | Record<string, number>; isLeast?: boolean };

/** Reads a figure from the results on one n8n; undefined if the scenario was not measured. */
type Value = (results: Results) => Spread | undefined;

export type Criterion = [text: string, target: Target, value: Value];

const US = 'voiceAdmin';

function inScenario(scenario: string, value: (result: ScenarioResult) => Spread): Value {
	return ({ scenarios: { [scenario]: result } }) => result && value(result);
}

/** The ratio of two variants' metrics. */
function times(scenario: string, metric: MetricId, other: string): Value {
	return inScenario(scenario, (result) => ratio(result, US, other, metric));
}

const median = (scenario: string, metric: MetricId, variant = US) =>
	inScenario(scenario, (result) => metricOf(result, variant, metric));

/** The highest of all rounds. */
function worst(scenario: string, metric: MetricId): Value {
	return inScenario(scenario, (result) => spread([metricOf(result, US, metric).max]));
}

const atLeast = (unit: string, bound: Target['bound']): Target => ({ unit, bound, isLeast: true });
const atMost = (unit: string, bound: Target['bound']): Target => ({ unit, bound });
const compared: Target = { unit: '' };

const OPERATIONS = { get: 'Get', 'set-premium': 'Set Premium', 'create-customer': 'Create' };

export const CRITERIA: Criterion[] = [
	...Object.entries(OPERATIONS).map(([id, operation]): Criterion => {
		const text = `Throughput compared with HTTP Request: ${operation}, 1,000 items`;
		return [text, atLeast('', { '2.8.4': 3, '2.41.1': 4.5 }), times(id, 'throughput', 'httpRequest')];
	}),
	[
		"Time compared with n8n's floor: Get, 1,000 items",
		atMost('', { '2.8.4': 1.1, '2.41.1': 1 }),
		times('get', 'seconds', 'floor'),
	],
	[
		'Time compared with HTTP Request: 2,000 items, answered after 1.5 s',
		compared,
		times('slow-replies', 'seconds', 'httpRequest'),
	],
	[
		'Peak memory compared with HTTP Request: 10,000 items',
		atMost('', 0.8),
		times('items-10000', 'peakMemory', 'httpRequest'),
	],
	['Logins for 10,000 items', atMost('', 1), worst('items-10000', 'logins')],
	[
		'With a limit, 5 executions of 400 items at once: time compared with the ideal',
		atMost('', { '2.8.4': 1.15, '2.41.1': 1.12 }),
		median('crowd', 'timesIdeal', 'voiceAdmin-5x400'),
	],
	[
		'With a limit, 5 executions of 400 items at once: requests wasted',
		atMost('%', 3),
		median('crowd', 'wasted', 'voiceAdmin-5x400'),
	],
	[
		'With a limit, 1,000 executions of one item at once: time compared with the ideal',
		compared,
		median('crowd', 'timesIdeal', 'voiceAdmin-1000x1'),
	],
];
