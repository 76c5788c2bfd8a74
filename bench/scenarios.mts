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
	/** Run in an n8n server, called by webhook; by `n8n execute` without it. */
	inServer?: true;
	variants: Variant[];
}

const variantOf = (contender: ContenderId): Variant => ({ id: contender, name: CONTENDERS[contender].name, contender });
const [voiceAdmin, httpRequest, floor] = [variantOf('voiceAdmin'), variantOf('httpRequest'), variantOf('floor')];

/** Variants with so many executions at once of so many items each. */
function atOnce(executions: number, items: number, variants: Variant[]): Variant[] {
	return variants.map((variant) => {
		const [id, name] = [`${variant.id}-${executions}x${items}`, `${executions.toLocaleString('en-US')} × ${items}, ${variant.name}`];
		return { ...variant, id, name, executions, items };
	});
}

const usual = { operation: 'get', items: 1_000, latency: 50 } as const;
const pair = [voiceAdmin, httpRequest];

export const SCENARIOS: Record<string, Scenario> = {
	get: { ...usual, title: 'Get', variants: [...pair, floor] },
	'set-premium': { ...usual, title: 'Set Premium', operation: 'setPremium', variants: [...pair, floor] },
	'create-customer': { ...usual, title: 'Create', operation: 'add', variants: [...pair, floor] },
	'items-10000': { ...usual, title: '10,000 items', items: 10_000, variants: pair },
	'slow-replies': { ...usual, title: '2,000 items, replies after 1.5 s', items: 2_000, latency: 1_500, variants: pair },
	crowd: {
		...usual,
		title: 'Many executions at once, behind 100 requests a second',
		inServer: true,
		perSecond: 100,
		variants: [...atOnce(5, 400, pair), ...atOnce(1_000, 1, pair)],
	},
};
