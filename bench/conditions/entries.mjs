import { PEERS } from '../peers/index.mjs';

/**
 * One of those that are run in turn: a peer in n8n, or Node's http alone (without `peer`).
 * @typedef {object} Entry
 * @property {string} id within its scenario
 * @property {string} name
 * @property {string} [peer] a key of PEERS
 * @property {number} [items] other than the scenario's; in a server those of each execution
 * @property {number} [executions] in a server, all at once
 * @property {number} [inFlight]
 * @property {{ batchSize: number, batchInterval: number }} [batching]
 * @property {number} [countriesOfOneItem] gives the node one item, with so many countries
 */

/**
 * @param {string} peer a key of PEERS
 * @param {Partial<Entry>} [own]
 * @returns {Entry}
 */
export const runner = (peer, own = {}) => ({ id: peer, name: PEERS[peer].name, peer, ...own });

/** The HTTP Request node with batching: a batch is begun, and the next one so many ms later. */
export const batched = (batching) =>
	runner('httpRequest', { id: `httpRequest-${batching.batchSize}-${batching.batchInterval}`, name: `HTTP Request, ${batching.batchSize} per ${batching.batchInterval} ms`, batching });

/**
 * Node's http alone.
 * @param {number} inFlight
 * @param {number} [items] other than the scenario's
 * @returns {Entry}
 */
export const limit = (inFlight, items) => ({ id: `limit-${inFlight}`, name: `Node's http, ${inFlight} in flight`, inFlight, ...(items && { items }) });

/** The three that a user could take, one after the other. */
export const choices = () => ['voiceAdmin', 'httpRequest', 'plain'].map((peer) => runner(peer));

/**
 * The three, and n8n's floor below them. It knows no cold credential and no limit; and where replies take long,
 * its 100 in flight set the time instead of n8n's own work.
 */
export const choicesAndFloor = () => [...choices(), runner('floor')];
