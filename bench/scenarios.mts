import { type ContenderId, CONTENDERS, type Operation } from './contenders.mts';

/**
 * A contender in a scenario, with settings of its own. items: other than the scenario's, in a server those of each
 * execution; executions: in a server, all at once
 */
export interface Variant {
	/** Within its scenario. */
	id: string;
	name: string;
	contender: ContenderId;
	items?: number;
	executions?: number;
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
	/** Run in an n8n server, called by webhook; by `n8n execute` without it. */
	inServer?: true;
	variants: Variant[];
}

const variantOf = (contender: ContenderId): Variant => ({ id: contender, name: CONTENDERS[contender].name, contender });
const [voiceAdmin, httpRequest, plain, floor] = [variantOf('voiceAdmin'), variantOf('httpRequest'), variantOf('plain'), variantOf('floor')];

/** Variants with so many executions at once of so many items each. */
function atOnce(executions: number, items: number, variants: Variant[]): Variant[] {
	return variants.map((variant) => {
		const [id, name] = [`${variant.id}-${executions}x${items}`, `${executions.toLocaleString('en-US')} × ${items}, ${variant.name}`];
		return { ...variant, id, name, executions, items };
	});
}

const usual = { operation: 'get', items: 1_000, latency: 50, credential: 'warm' } as const;
const pair = [voiceAdmin, httpRequest];

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
	'slow-replies': { ...usual, title: '2,000 items, replies after 1.5 s', items: 2_000, latency: 1_500, variants: pair },
	crowd: {
		...usual,
		title: 'Many executions at once, behind 100 requests a second',
		inServer: true,
		// Each run has one of its own, as the node remembers what it has learned of a key.
		credential: 'cold',
		perSecond: 100,
		variants: [...atOnce(5, 400, pair), ...atOnce(100, 20, pair), ...atOnce(1_000, 1, pair)],
	},
};
