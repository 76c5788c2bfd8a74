'use strict';

/** Requests of the floor at once: enough at 50 ms, as n8n's own work on so many takes longer than a reply does. */
const IN_FLIGHT = 100;

/** @typedef {import('n8n-workflow').IExecuteFunctions} Node */

/** What the floor sends for an item. @type {Record<string, (item: import('n8n-workflow').IDataObject) => object>} */
const REQUESTS = {
	get: ({ id }) => ({ method: 'GET', path: `/v1/voip/dss/gtw/${id}` }),
	setPremium: ({ id, iso }) => ({ method: 'PUT', path: '/v1/voip/dss/trunk/country/setpremium', body: { idTrunk: id, iso } }),
	add: ({ vatNumber }) => ({ method: 'POST', path: '/v1/customers/add', body: { vatNumber } }),
};

/** @type {Record<string, (node: Node) => object[] | Promise<object[]>>} */
const STEPS = {
	/** Makes the items. */
	start(node) {
		const items = Array.from({ length: Number(node.getNodeParameter('items', 0)) }, (_, n) => ({ id: n + 1, iso: 'IT', vatNumber: `C${n + 1}` }));
		return items.map((json) => ({ json, pairedItem: 0 }));
	},

	/**
	 * A request of n8n's for each item and nothing else: no credential, no expression, no check, no retry, no error handling.
	 * What it takes is n8n's own, and no node that sends by n8n's helper can do with less.
	 */
	async floor(node) {
		// Read once: they are the same for all items.
		const [operation, url, token] = ['operation', 'url', 'token'].map((name) => String(node.getNodeParameter(name, 0)));
		const headers = { Authorization: `Bearer ${token}` };
		/** @type {object[]} */
		const results = [];
		const items = node.getInputData().entries();
		const worker = async () => {
			// One iterator for all workers: each takes the next item that nobody has taken.
			for (const [index, { json: item }] of items) {
				const { method, path, body } = /** @type {Function} */ (REQUESTS[String(operation)])(item);
				const reply = await node.helpers.httpRequest({ method, url: url + path, headers, body, json: true });
				// A reply without a body is an empty text.
				results[index] = { json: reply || {}, pairedItem: index };
			}
		};
		await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
		return results;
	},

	/** Says what came, and the most memory that the process has used. */
	finish(node) {
		const good = node.getInputData().filter(({ json, error }) => !error && !json.error).length;
		return [{ json: { good, peakMemory: process.resourceUsage().maxRSS * 1024 } }];
	},
};

/** The nodes before and after the measured one, and n8n's floor, which is measured itself. */
class Harness {
	constructor() {
		const names = ['step', 'items', 'operation', 'url', 'token'];
		this.description = {
			displayName: 'Benchmark Harness',
			name: 'harness',
			group: ['transform'],
			version: 1,
			description: 'Stands before and after the node that is measured',
			defaults: { name: 'Benchmark Harness' },
			inputs: ['main'],
			outputs: ['main'],
			properties: names.map((name) => ({ displayName: name, name, type: 'string', default: '' })),
		};
	}

	/** @this {Node} */
	async execute() {
		return [await STEPS[String(this.getNodeParameter('step', 0))]?.(this)];
	}
}

module.exports = { Harness };
