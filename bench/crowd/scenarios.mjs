import { BATCHINGS } from '../conditions/batchings.mjs';
import { batched, runner } from '../conditions/entries.mjs';

/** What they share. Each run has a credential of its own, as the node remembers what it has learned of a key. */
const USUAL = /** @type {const} */ ({ server: true, operation: 'get', latency: 50, perSecond: 100, credential: 'cold' });

const LIMITED = ['requests wasted', 'peak in flight', 'logins', 'calls failed'];
const CROWD = ['time, s', 'ideal, s', 'times the ideal', 'items lost', ...LIMITED];
const SINGLE = ['first single item, ms', 'single item: median, ms', 'p95, ms', 'worst, ms', 'single items failed'];

const CROWDS = [
	{ executions: 5, items: 400 },
	{ executions: 20, items: 100 },
	{ executions: 100, items: 20 },
	{ executions: 1_000, items: 1 },
];

/** Batching by the rule of thumb, with which an execution that is alone loses nothing. */
const CONTENDERS = [runner('voiceAdmin'), runner('httpRequest'), batched(BATCHINGS[0])];

const inCrowd = (contender, crowd) => ({
	...contender,
	...crowd,
	id: `${contender.id}-${crowd.executions}x${crowd.items}`,
	name: `${crowd.executions.toLocaleString('en-US')} × ${crowd.items}, ${contender.name}`,
});

/** Executions that an n8n server runs side by side, called by webhook. @type {Record<string, import('../scenarios.mjs').Scenario>} */
export const CROWD_SCENARIOS = {
	crowd: {
		...USUAL,
		title: 'Many executions at once, behind 100 requests a second',
		columns: CROWD,
		entries: CROWDS.flatMap((crowd) => CONTENDERS.map((contender) => inCrowd(contender, crowd))),
	},
	'crowd-unlimited': {
		...USUAL,
		perSecond: undefined,
		title: 'The same executions against a service without a limit',
		columns: ['time, s', 'items lost', 'peak in flight', 'logins', 'calls failed'],
		entries: CROWDS.flatMap((crowd) => ['voiceAdmin', 'httpRequest'].map((peer) => inCrowd(runner(peer), crowd))),
	},
	'crowd-postgres': {
		...USUAL,
		title: '1,000 executions of one item at once, in an n8n with PostgreSQL',
		columns: CROWD,
		onRequest: true,
		database: 'postgres',
		entries: CONTENDERS.map((contender) => inCrowd(contender, CROWDS[3])),
	},
	'beside-bulk': {
		...USUAL,
		title: 'Single items beside two executions of 1,500 items, behind 100 requests a second',
		columns: [...SINGLE, 'time, s', 'items lost', ...LIMITED],
		singleEveryMs: 300,
		entries: ['voiceAdmin', 'httpRequest'].map((peer) => runner(peer, { executions: 2, items: 1_500 })),
	},
	workers: {
		...USUAL,
		title: 'Queue mode: two workers, behind 100 requests a second',
		columns: CROWD,
		onRequest: true,
		workers: 2,
		// As many as the two take at once.
		entries: [inCrowd(runner('voiceAdmin'), { executions: 10, items: 400 })],
	},
};
