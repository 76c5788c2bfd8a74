import { type ContenderId, CONTENDERS, type NodeSettings, type Operation } from './contenders.mts';

/**
 * A contender in a scenario, with settings of its own. items: other than the scenario's, in a server those of each
 * execution, 0 for none; executions: in a server, all at once; asOneItem: that has the countries of all
 */
export interface Variant {
	/** Within its scenario. */
	id: string;
	name: string;
	contender: ContenderId;
	items?: number;
	executions?: number;
	batching?: NodeSettings['batching'];
	asOneItem?: true;
}

/** Of the service. */
export interface Conditions {
	/** Of each reply, in ms. */
	latency: number;
	/** Requests that it lets pass each second; no limit without it. */
	perSecond?: number;
}

/** All variants of a scenario are run in turn in each round, so that what disturbs the machine disturbs all of them. */
export interface Scenario extends Conditions {
	title: string;
	operation: Operation;
	items: number;
	/** cold: never used before; warm: used before, and n8n has stored a valid token in that of the plain node. */
	credential: 'cold' | 'warm';
	/** Run in an n8n server, called by webhook; by `n8n execute` without it. workers: queue mode with so many. */
	server?: { workers?: number };
	/** Beside the executions, calls with a single item, one every so many ms. */
	singleEveryMs?: number;
	/** Beside one execution whose items n8n makes, calls of its /healthz, one every so many ms. */
	healthEveryMs?: number;
	/** Run only when it is named by --only. */
	onRequest?: true;
	variants: Variant[];
}

const variantOf = (contender: ContenderId): Variant => ({ id: contender, name: CONTENDERS[contender].name, contender });
const [voiceAdmin, httpRequest, plain, floor] = [variantOf('voiceAdmin'), variantOf('httpRequest'), variantOf('plain'), variantOf('floor')];

/**
 * Batching for who knows that the service takes 100 requests a second: of the settings tried, these two took least on one
 * n8n each.
 */
const tuned = [600, 400].map((batchInterval) => {
	const [id, name] = [`httpRequest-100-${batchInterval}`, `HTTP Request, 100 per ${batchInterval} ms`];
	return { ...httpRequest, id, name, batching: { batchSize: 100, batchInterval } };
});

/** Variants with so many executions at once of so many items each. */
function atOnce(executions: number, items: number, variants: Variant[]): Variant[] {
	return variants.map((variant) => {
		const [id, name] = [`${variant.id}-${executions}x${items}`, `${executions.toLocaleString('en-US')} × ${items}, ${variant.name}`];
		return { ...variant, id, name, executions, items };
	});
}

const usual = { operation: 'get', items: 1_000, latency: 50, credential: 'warm' } as const;
const pair = [voiceAdmin, httpRequest];
/** Each run has a credential of its own, as the node remembers what it has learned of a key. */
const concurrent = { ...usual, server: {}, credential: 'cold', perSecond: 100 } as const;

export const SCENARIOS: Record<string, Scenario> = {
	// Without the floor, which has no credential that could be cold.
	'get-cold': { ...usual, title: 'Get Gateway, cold credential', credential: 'cold', variants: [...pair, plain] },
	'get-warm': { ...usual, title: 'Get Gateway, warm credential', variants: [...pair, plain, floor] },
	'set-premium': { ...usual, title: 'Set Premium, warm credential', operation: 'setPremium', variants: [...pair, floor] },
	'add-customer': { ...usual, title: 'Add Customer, warm credential', operation: 'add', variants: [...pair, floor] },
	'items-10000': {
		...usual,
		title: '10,000 items',
		items: 10_000,
		// The same node with 1,000 items beside it: how time grows is a ratio within a round.
		variants: [...pair, { ...voiceAdmin, id: 'voiceAdmin-1000', name: 'Voice Admin, 1,000 items', items: 1_000 }],
	},
	'items-50000': { ...usual, title: '50,000 items', items: 50_000, onRequest: true, variants: [voiceAdmin] },
	'slow-replies': { ...usual, title: '2,000 items, replies after 1.5 s', items: 2_000, latency: 1_500, variants: pair },
	bulk: {
		...usual,
		title: 'One item with 200 countries against 200 items, replies after 5 ms',
		operation: 'setPremium',
		items: 200,
		latency: 5,
		variants: [{ ...voiceAdmin, name: 'Voice Admin, 1 item', asOneItem: true }, { ...httpRequest, name: 'HTTP Request, 200 items' }],
	},
	limiter: { ...usual, title: 'A service that takes 100 requests a second', perSecond: 100, variants: [...pair, plain, ...tuned] },
	crowd: {
		...concurrent,
		title: 'Many executions at once, behind 100 requests a second',
		variants: [...atOnce(5, 400, pair), ...atOnce(100, 20, pair), ...atOnce(1_000, 1, pair)],
	},
	'beside-bulk': {
		...concurrent,
		title: 'Single items beside two executions of 1,500 items, behind 100 requests a second',
		singleEveryMs: 300,
		variants: pair.map((variant) => ({ ...variant, executions: 2, items: 1_500 })),
	},
	'health-check': {
		...usual,
		title: "n8n's answers to a health check while it runs 10,000 items",
		items: 10_000,
		server: {},
		healthEveryMs: 20,
		variants: [{ ...voiceAdmin, id: 'idle', name: 'No execution', items: 0 }, ...pair],
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
