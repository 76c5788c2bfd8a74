import { type MetricId, metricOf, ratioOf, type Results, type ScenarioResult, type Spread } from '../results.mts';

/** A row of the table: reads a figure from the results on one n8n; undefined if the scenario was not measured. */
export type Comparison = [text: string, figure: (results: Results) => Spread | undefined];

const US = 'voiceAdmin';

const inScenario =
	(scenario: string, figure: (result: ScenarioResult) => Spread) =>
	({ scenarios: { [scenario]: result } }: Results) =>
		result && figure(result);

/** The ratio of this node's metric and another variant's. */
const times = (scenario: string, metric: MetricId, other: string, variant = US) =>
	inScenario(scenario, (result) => ratioOf(result, variant, other, metric));

const median = (scenario: string, metric: MetricId, variant = US) =>
	inScenario(scenario, (result) => metricOf(result, variant, metric));

export const COMPARISONS: Comparison[] = [
	['Throughput compared with HTTP Request: Get, 1,000 items', times('get', 'throughput', 'httpRequest')],
	[
		'Throughput compared with HTTP Request: Set Premium, 1,000 items',
		times('set-premium', 'throughput', 'httpRequest'),
	],
	['Throughput compared with HTTP Request: Create, 1,000 items', times('create-customer', 'throughput', 'httpRequest')],
	["Time compared with n8n's floor: Get, 1,000 items", times('get', 'seconds', 'floor')],
	[
		"Time compared with n8n's floor: Set Premium, 1,000 items, **Max Concurrency** 200",
		times('set-premium', 'seconds', 'floor', 'voiceAdmin200'),
	],
	[
		"Time compared with n8n's floor: Create, 1,000 items, **Max Concurrency** 200",
		times('create-customer', 'seconds', 'floor', 'voiceAdmin200'),
	],
	[
		'Time compared with HTTP Request: 2,000 items, answered after 1.5 s',
		times('slow-replies', 'seconds', 'httpRequest'),
	],
	['Peak memory compared with HTTP Request: 10,000 items', times('items-10000', 'peakMemory', 'httpRequest')],
	['Longest silence of n8n in milliseconds: 10,000 items', median('items-10000', 'silence')],
	['The same with HTTP Request', median('items-10000', 'silence', 'httpRequest')],
	['Logins for 10,000 items', median('items-10000', 'logins')],
	[
		'With a limit, 5 executions of 400 items at once: time compared with the ideal',
		median('crowd', 'timesIdeal', 'voiceAdmin-5x400'),
	],
	[
		'With a limit, 5 executions of 400 items at once: requests wasted (%)',
		median('crowd', 'wasted', 'voiceAdmin-5x400'),
	],
	[
		'With a limit, 100 executions of 20 items at once: time compared with the ideal',
		median('crowd', 'timesIdeal', 'voiceAdmin-100x20'),
	],
	[
		'With a limit, 100 executions of 20 items at once: requests wasted (%)',
		median('crowd', 'wasted', 'voiceAdmin-100x20'),
	],
	[
		'With a limit, a single item beside 5 executions of 400: seconds',
		median('beside-bulk', 'singleMedian', 'voiceAdmin-5x400'),
	],
	[
		'With a limit, a single item beside 5 executions of 400: seconds, at worst',
		median('beside-bulk', 'singleWorst', 'voiceAdmin-5x400'),
	],
	[
		'With a limit, 1,000 executions of one item at once: time compared with the ideal',
		median('crowd', 'timesIdeal', 'voiceAdmin-1000x1'),
	],
];
