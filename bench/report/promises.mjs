import { N8N_VERSIONS } from '../../scripts/setup/n8n-versions.mjs';
import { CROWD_PROMISES } from '../crowd/promises.mjs';
import { figure, ratio, tookPart } from '../figures.mjs';
import { spread } from '../statistics.mjs';
import { kilobytes, number, percent, withSpread } from '../words.mjs';

/** The option's default, where an entry sets none. */
const DEFAULT_IN_FLIGHT = 200;

const NEWEST_LINE = N8N_VERSIONS.at(-1).version;

/**
 * What must hold.
 * @typedef {object} Promised
 * @property {string} says
 * @property {string} [only] the one version of n8n that it is promised for
 * @property {string} [profile] the scenario whose profile shows what stands in the way
 * @property {string} [because] what that is, in words, for where it does not hold
 * @property {(results: import('../results.mjs').Results) => { holds: boolean, figure: string } | undefined} check
 *   undefined where it was not measured
 *
 * @type {Promised[]}
 */
export const PROMISES = [
	{
		says: "At least 2.0 times the HTTP Request node's throughput, at 1,000 items and 50 ms, warm",
		profile: 'get-warm',
		check: atLeast(2.0, 'get-warm', 'httpRequest'),
	},
	{
		says: "At least 2.0 times the HTTP Request node's throughput, at 1,000 items and 50 ms, cold",
		profile: 'get-cold',
		check: atLeast(2.0, 'get-cold', 'httpRequest'),
	},
	{
		says: "At least 2.5 times the plain declarative node's throughput, at 1,000 items and 50 ms, cold",
		profile: 'get-cold',
		check: atLeast(2.5, 'get-cold', 'plain'),
	},
	{
		says: "At least 1.2 times the HTTP Request node's throughput at 300 ms",
		profile: 'latency-300',
		check: atLeast(1.2, 'latency-300', 'httpRequest'),
	},
	{
		says: "At most 1.15 times the time of n8n's floor, at 1,000 items and 50 ms, warm",
		only: '2.8.4',
		profile: 'get-warm',
		check: atMost(1.15, 'get-warm', 'voiceAdmin', 'floor', 'seconds'),
	},
	{
		says: "At most 1.2 times the time of n8n's floor, at 1,000 items and 50 ms, warm",
		only: NEWEST_LINE,
		profile: 'get-warm',
		check: atMost(1.2, 'get-warm', 'voiceAdmin', 'floor', 'seconds'),
	},
	{
		says: 'One item with 200 countries at least 2 times faster than 200 HTTP Request items, at 5 ms',
		profile: 'bulk',
		check: of('bulk', (result) => {
			const faster = ratio(result, 'httpRequest', 'voiceAdmin', 'seconds');
			return { holds: faster.median >= 2, figure: withSpread(faster) };
		}),
	},
	{
		says: '10,000 items take at most 11 times as long as 1,000',
		profile: 'items-10000',
		check: atMost(11, 'items-10000', 'voiceAdmin', 'voiceAdmin-1000', 'seconds'),
	},
	{
		says: 'Requests in flight never exceed the option',
		check: (results) => {
			const runs = alone(results)
				.flatMap(ownRuns)
				.map(({ entry, measured }) => ({ peak: measured.service.peakInFlight, most: entry.inFlight ?? DEFAULT_IN_FLIGHT }));
			if (runs.length === 0) return undefined;
			const over = runs.filter(({ peak, most }) => peak > most);
			return { holds: over.length === 0, figure: over.length === 0 ? `never in ${number(runs.length)} runs` : `${over[0].peak} with ${over[0].most} allowed` };
		},
	},
	{
		says: "Peak memory no higher than the HTTP Request node's, at 1,000 items",
		check: atMost(1, 'get-warm', 'voiceAdmin', 'httpRequest', 'peakMemory'),
	},
	{
		says: "Peak memory no higher than the HTTP Request node's, at 10,000 items",
		check: atMost(1, 'items-10000', 'voiceAdmin', 'httpRequest', 'peakMemory'),
	},
	{
		says: 'One login for any run from cold',
		check: (results) => {
			const logins = alone(results)
				.filter(({ scenario }) => scenario.credential === 'cold')
				.flatMap((result) => ownRuns(result).map(({ measured }) => measured.service.logins));
			if (logins.length === 0) return undefined;
			return { holds: logins.every((count) => count === 1), figure: [...new Set(logins)].join(', ') };
		},
	},
	{
		says: 'Behind a limit of 100 requests a second: no item lost',
		check: of('limiter', (result) => {
			const { max } = figure(result, 'voiceAdmin', 'lost');
			return { holds: max === 0, figure: number(max) };
		}),
	},
	{
		says: 'Behind that limit: at most 10 % of requests wasted',
		check: of('limiter', (result) => {
			const wasted = figure(result, 'voiceAdmin', 'wasted');
			return { holds: wasted.median <= 0.1, figure: percent(wasted.median) };
		}),
	},
	{
		says: 'Behind that limit: no slower than the HTTP Request node with batching tuned by hand',
		profile: 'limiter',
		because:
			'Both are as fast as the service lets them be once they send, and lose nothing. But n8n’s executor prepares all items of this node before the first request leaves, during which nothing is sent; the HTTP Request node with batching sends while it goes.',
		check: of('limiter', (result) => {
			const tuned = fastestBatching(result);
			if (!tuned) return { holds: true, figure: 'every batching tried lost items' };
			const slower = ratio(result, 'voiceAdmin', tuned.id, 'seconds');
			return { holds: slower.median <= 1, figure: `${withSpread(slower)} of ${tuned.name}` };
		}),
	},
	...CROWD_PROMISES,
	{
		says: 'The package loads within 50 ms',
		check: ({ installed }) => {
			if (!installed) return undefined;
			const load = spread(installed.load);
			return { holds: load.median <= 50, figure: `${withSpread(load)} ms` };
		},
	},
	{
		says: 'The tarball has at most 60 KB',
		check: ({ installed }) => installed && { holds: installed.tarball <= 60_000, figure: kilobytes(installed.tarball) },
	},
];

/** The scenarios in which a process runs one execution: in a server many share requests in flight and logins. */
function alone({ scenarios }) {
	return Object.values(scenarios).filter(({ scenario }) => !scenario.server);
}

function of(scenario, check) {
	return ({ scenarios }) => scenarios[scenario] && check(scenarios[scenario]);
}

function atLeast(bound, scenario, other) {
	return of(scenario, (result) => {
		const more = ratio(result, 'voiceAdmin', other, 'throughput');
		return { holds: more.median >= bound, figure: withSpread(more) };
	});
}

function atMost(bound, scenario, entry, other, figureName) {
	return of(scenario, (result) => {
		if (!tookPart(result, entry) || !tookPart(result, other)) return undefined;
		const more = ratio(result, entry, other, figureName);
		return { holds: more.median <= bound, figure: withSpread(more) };
	});
}

/** The fastest of the HTTP Request node's batchings that lost no item in any round. */
function fastestBatching(result) {
	const lossless = result.scenario.entries.filter(({ id, batching }) => batching && figure(result, id, 'lost').max === 0);
	return lossless.sort((a, b) => figure(result, a.id, 'seconds').median - figure(result, b.id, 'seconds').median)[0];
}

/** All measurements of this package's node in a scenario. */
function ownRuns({ scenario, rounds }) {
	const entries = scenario.entries.filter(({ peer }) => peer === 'voiceAdmin');
	return rounds.flatMap((round) => entries.map((entry) => ({ entry, measured: round[entry.id] })));
}
