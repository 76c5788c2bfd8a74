import { BATCHINGS, FINALISTS } from './conditions/batchings.mjs';
import { batched, choices, choicesAndFloor, limit, runner } from './conditions/entries.mjs';
import { CROWD_SCENARIOS } from './crowd/scenarios.mjs';

/** What scenarios share, unless they say otherwise. */
const USUAL = /** @type {const} */ ({ operation: 'get', items: 1_000, latency: 50, credential: 'warm' });

/** As many as an item of one trunk can name with codes of two letters, and a round number. */
const COUNTRIES = 200;

/**
 * What is measured: who runs, and under which conditions. All entries of a scenario are run in turn in each
 * round, so that what disturbs the machine disturbs all of them.
 * @typedef {object} Scenario
 * @property {string} title
 * @property {import('./peers/index.mjs').Operation} operation
 * @property {number} [items] handed to the node, where an entry does not say otherwise
 * @property {number} latency of each reply, in ms
 * @property {'cold' | 'warm'} credential cold: it was never used; warm: it was, and n8n has stored a valid token in that of the plain node
 * @property {number} [perSecond] requests that the service lets pass each second; no limit without it
 * @property {number} [loopOf] items that n8n's Loop Over Items node hands to the node at a time
 * @property {true} [server] run in an n8n server, called by webhook; by `n8n execute` without it
 * @property {number} [workers] of a server in queue mode
 * @property {'postgres'} [database] of a server; n8n's SQLite without it
 * @property {number} [singleEveryMs] beside the others, calls with a single item, one every so many ms
 * @property {string[]} [columns] of its table
 * @property {true} [onRequest] run only when it is named by --only
 * @property {import('./conditions/entries.mjs').Entry[]} entries
 *
 * @type {Record<string, Scenario>}
 */
export const SCENARIOS = {
	'get-cold': { ...USUAL, title: 'Get Gateway, cold credential', credential: 'cold', entries: choices() },
	'get-warm': { ...USUAL, title: 'Get Gateway, warm credential', entries: [...choicesAndFloor(), limit(200), limit(50)] },
	'set-premium': { ...USUAL, title: 'Set Premium, warm credential', operation: 'setPremium', entries: choicesAndFloor() },
	'add-customer': { ...USUAL, title: 'Add Customer, warm credential', operation: 'add', entries: choicesAndFloor() },
	'items-100': { ...USUAL, title: '100 items', items: 100, entries: choicesAndFloor() },
	'items-10000': {
		...USUAL,
		title: '10,000 items',
		items: 10_000,
		// The same node with 1,000 items beside it: how time grows is a ratio within a round.
		entries: [...choicesAndFloor(), runner('voiceAdmin', { id: 'voiceAdmin-1000', name: 'Voice Admin, 1,000 items', items: 1_000 })],
	},
	'latency-5': { ...USUAL, title: 'Replies after 5 ms', latency: 5, entries: choicesAndFloor() },
	'latency-300': { ...USUAL, title: 'Replies after 300 ms', latency: 300, entries: choices() },
	'latency-500': { ...USUAL, title: 'Replies after 500 ms', latency: 500, entries: choices() },
	'latency-1500': { ...USUAL, title: '2,000 items, replies after 1.5 s', items: 2_000, latency: 1_500, entries: choices() },
	'in-flight': {
		...USUAL,
		title: "Requests in flight: the node's option against Node's http alone",
		entries: [1, 10, 50, 200].flatMap((inFlight) => {
			// One after the other takes 50 ms each, whatever their number: fewer are enough.
			const items = inFlight === 1 ? 200 : USUAL.items;
			const name = `Voice Admin, ${inFlight} in flight${items === USUAL.items ? '' : `, ${items} items`}`;
			return [runner('voiceAdmin', { id: `voiceAdmin-${inFlight}`, name, inFlight, items }), limit(inFlight, items)];
		}),
	},
	bulk: {
		...USUAL,
		title: `One item with ${COUNTRIES} countries against ${COUNTRIES} items, replies after 5 ms`,
		operation: 'setPremium',
		items: COUNTRIES,
		latency: 5,
		entries: [runner('voiceAdmin', { name: 'Voice Admin, 1 item', countriesOfOneItem: COUNTRIES }), runner('httpRequest', { name: `HTTP Request, ${COUNTRIES} items` })],
	},
	loop: {
		...USUAL,
		title: 'Loop Over Items: 1,000 items in batches of 50',
		loopOf: 50,
		entries: [runner('voiceAdmin'), runner('httpRequest')],
	},
	limiter: {
		...USUAL,
		title: 'A service that takes 100 requests a second',
		perSecond: 100,
		entries: [...choices(), ...FINALISTS.map(batched)],
	},
	'limiter-batchings': {
		...USUAL,
		title: 'Batching of the HTTP Request node against 100 requests a second',
		perSecond: 100,
		onRequest: true,
		entries: BATCHINGS.map(batched),
	},
	...CROWD_SCENARIOS,
};
