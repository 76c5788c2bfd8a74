import { type Batching, type ContenderId, CONTENDERS, type Operation } from './contenders.mts';
import type { MetricId } from './metrics.mts';

/**
 * A contender in a scenario, with settings of its own. items: other than the scenario's, in a server those of each execution, 0 for no execution;
 * executions: in a server, all at once; countriesOfOneItem: gives the node one item, with so many countries
 */
export interface Variant {
	/** Within its scenario. */
	id: string;
	name: string;
	contender: ContenderId;
	items?: number;
	executions?: number;
	inFlight?: number;
	batching?: Batching;
	countriesOfOneItem?: number;
}

/** All variants of a scenario are run in turn in each round, so that what disturbs the machine disturbs all of them. */
export interface Scenario {
	title: string;
	operation: Operation;
	items: number;
	/** Of each reply, in ms. */
	latency: number;
	/** cold: never used before; warm: used before, and n8n has stored a valid token in that of the plain node. */
	credential: 'cold' | 'warm';
	/** Requests that the service lets pass each second; no limit without it. */
	perSecond?: number;
	/** Items that n8n's Loop Over Items node hands to the node at a time. */
	loopOf?: number;
	/** Run in an n8n server, called by webhook; by `n8n execute` without it. workers: queue mode with so many. */
	server?: { workers?: number; onPostgres?: true };
	/** Beside the others, calls with a single item, one every so many ms. */
	singleEveryMs?: number;
	/** Beside one execution whose items are made in n8n, calls of n8n's /healthz, one every so many ms. */
	healthEveryMs?: number;
	columns?: MetricId[];
	/** Run only when it is named by --only. */
	onRequest?: true;
	variants: Variant[];
}

const run = (contender: ContenderId, own: Partial<Variant> = {}): Variant => ({ id: contender, name: CONTENDERS[contender].name, contender, ...own });

/** Batching for who knows that the service takes 100 requests a second. */
const batched = (batchSize: number, batchInterval: number) =>
	run('httpRequest', { id: `httpRequest-${batchSize}-${batchInterval}`, name: `HTTP Request, ${batchSize} per ${batchInterval} ms`, batching: { batchSize, batchInterval } });

const nodeHttp = (inFlight: number, items?: number) =>
	run('nodeHttp', { id: `nodeHttp-${inFlight}`, name: `${CONTENDERS.nodeHttp.name}, ${inFlight} in flight`, inFlight, items });

const ours = (id: string, name: string, own: Partial<Variant>) => run('voiceAdmin', { id: `voiceAdmin-${id}`, name: `Voice Admin, ${name}`, ...own });

const choices = [run('voiceAdmin'), run('httpRequest'), run('plain')];
const [voiceAdmin, httpRequest] = choices as [Variant, Variant];
/** The floor has no credential to be cold and no retry for a limit; where replies are slow, its 100 in flight would set the time. */
const all = [...choices, run('floor')];
/** n8n takes some 5 ms to begin an item (n8n 2.8.4, 2.5 GHz), so that this is slower than the service allows. */
const ruleOfThumb = batched(100, 1_000);
/** The best ones of limiter-batch-settings: the two versions of n8n take different times to begin a batch. */
const tuned = [batched(100, 600), batched(100, 400)];

/** Variants with so many executions at once of so many items each. */
const atOnce = (executions: number, items: number, variants: Variant[]) =>
	variants.map((variant) => ({
		...variant,
		id: `${variant.id}-${executions}x${items}`,
		name: `${executions.toLocaleString('en-US')} × ${items}, ${variant.name}`,
		executions,
		items,
	}));
const crowd = (variants: Variant[]) =>
	[[5, 400], [20, 100], [100, 20], [1_000, 1]].flatMap(([executions = 0, items = 0]) => atOnce(executions, items, variants));

const usual = { operation: 'get', items: 1_000, latency: 50, credential: 'warm', variants: all } as const;
const limited = ['rateLimited', 'peakInFlight', 'logins', 'failedCalls'] as const;
const columns: MetricId[] = ['totalSeconds', 'ideal', 'timesIdeal', 'lost', ...limited];
/** Each run has a credential of its own, as the node remembers what it has learned of a key. */
const concurrent = { ...usual, server: {}, credential: 'cold', perSecond: 100, columns } as const;

export const SCENARIOS: Record<string, Scenario> = {
	'get-cold': { ...usual, title: 'Get Gateway, cold credential', credential: 'cold', variants: choices },
	'get-warm': { ...usual, title: 'Get Gateway, warm credential', variants: [...all, nodeHttp(200), nodeHttp(50)] },
	'set-premium': { ...usual, title: 'Set Premium, warm credential', operation: 'setPremium' },
	'add-customer': { ...usual, title: 'Add Customer, warm credential', operation: 'add' },
	'items-100': { ...usual, title: '100 items', items: 100 },
	// The same node with 1,000 items beside it: how time grows is a ratio within a round.
	'items-10000': { ...usual, title: '10,000 items', items: 10_000, variants: [...all, ours('1000', '1,000 items', { items: 1_000 })] },
	'items-50000': { ...usual, title: '50,000 items', items: 50_000, onRequest: true, variants: [voiceAdmin] },
	'latency-5': { ...usual, title: 'Replies after 5 ms', latency: 5 },
	'latency-300': { ...usual, title: 'Replies after 300 ms', latency: 300, variants: choices },
	'latency-500': { ...usual, title: 'Replies after 500 ms', latency: 500, variants: choices },
	'latency-1500': { ...usual, title: '2,000 items, replies after 1.5 s', items: 2_000, latency: 1_500, variants: choices },
	'in-flight': {
		...usual,
		title: "Requests in flight: the node's option against Node's http alone",
		variants: [
			// One after the other takes 50 ms each, whatever their number: fewer are enough.
			...[ours('1', '1 in flight, 200 items', { inFlight: 1, items: 200 }), nodeHttp(1, 200)],
			...[10, 50, 200].flatMap((inFlight) => [ours(`${inFlight}`, `${inFlight} in flight`, { inFlight }), nodeHttp(inFlight)]),
		],
	},
	bulk: {
		...usual,
		title: 'One item with 200 countries against 200 items, replies after 5 ms',
		operation: 'setPremium',
		items: 200,
		latency: 5,
		variants: [{ ...voiceAdmin, name: 'Voice Admin, 1 item', countriesOfOneItem: 200 }, { ...httpRequest, name: 'HTTP Request, 200 items' }],
	},
	loop: { ...usual, title: 'Loop Over Items: 1,000 items in batches of 50', loopOf: 50, variants: [voiceAdmin, httpRequest] },
	limiter: { ...usual, title: 'A service that takes 100 requests a second', perSecond: 100, variants: [...choices, ...tuned] },
	'limiter-batch-settings': {
		...usual,
		title: 'Batching of the HTTP Request node against 100 requests a second',
		perSecond: 100,
		onRequest: true,
		variants: [ruleOfThumb, ...tuned, batched(50, 250), batched(10, 50), batched(10, 25)],
	},
	crowd: { ...concurrent, title: 'Many executions at once, behind 100 requests a second', variants: crowd([voiceAdmin, httpRequest, ruleOfThumb]) },
	'crowd-unlimited': {
		...concurrent,
		title: 'The same executions against a service without a limit',
		perSecond: undefined,
		columns: ['totalSeconds', 'lost', 'peakInFlight', 'logins', 'failedCalls'],
		variants: crowd([voiceAdmin, httpRequest]),
	},
	'crowd-postgres': {
		...concurrent,
		title: '1,000 executions of one item at once, in an n8n with PostgreSQL',
		onRequest: true,
		server: { onPostgres: true },
		variants: atOnce(1_000, 1, [voiceAdmin, httpRequest, ruleOfThumb]),
	},
	'beside-bulk': {
		...concurrent,
		title: 'Single items beside two executions of 1,500 items, behind 100 requests a second',
		columns: ['singleMedian', 'singleP95', 'singleWorst', 'failedSingles', 'totalSeconds', 'lost', ...limited],
		singleEveryMs: 300,
		variants: [voiceAdmin, httpRequest].map((variant) => ({ ...variant, executions: 2, items: 1_500 })),
	},
	'health-check': {
		...usual,
		title: "n8n's answers to a health check while it runs 10,000 items",
		items: 10_000,
		server: {},
		healthEveryMs: 20,
		columns: ['healthP99', 'healthWorst', 'totalSeconds', 'lost', 'failedCalls'],
		variants: [run('none', { id: 'idle', name: 'No execution', items: 0 }), run('none'), voiceAdmin, httpRequest],
	},
	workers: {
		...concurrent,
		title: 'Queue mode: two workers, behind 100 requests a second',
		onRequest: true,
		server: { workers: 2 },
		// As many as the two take at once.
		variants: atOnce(10, 400, [voiceAdmin]),
	},
};
