'use strict';

const { monitorEventLoopDelay } = require('node:perf_hooks');

/** From the first node's end on: how long n8n does nothing else, such as respond to its editor. */
const eventLoop = monitorEventLoopDelay({ resolution: 10 });

/** Requests of the floor in flight: at 50 ms latency, n8n's own work on this many takes longer than a response does. */
const MAX_IN_FLIGHT = 100;

/** @typedef {import('n8n-workflow').IExecuteFunctions} Node */

/** The floor's request for an item. @type {Record<string, (item: import('n8n-workflow').IDataObject) => object>} */
const REQUESTS = {
	get: ({ id }) => ({ method: 'GET', path: `/v1/voip/dss/gtw/${id}` }),
	setPremium: ({ id, iso }) => ({
		method: 'PUT',
		path: '/v1/voip/dss/trunk/country/setpremium',
		body: { idTrunk: id, iso },
	}),
	add: ({ vatNumber }) => ({ method: 'POST', path: '/v1/customers/add', body: { vatNumber } }),
};

/** @type {Record<string, (node: Node) => object[] | Promise<object[]>>} */
const STEPS = {
	start(node) {
		const items = Array.from({ length: Number(node.getNodeParameter('items', 0)) }, (_, n) => ({
			id: n + 1,
			iso: 'IT',
			vatNumber: `C${n + 1}`,
		}));
		eventLoop.enable();
		return items.map((json) => ({ json, pairedItem: 0 }));
	},

	/**
	 * Sends a request per item by n8n's helper, without credential, expressions, checks, retries or error handling: nearly all of
	 * its time is n8n's own.
	 */
	async floor(node) {
		// The same for all items.
		const [operation, url, token] = ['operation', 'url', 'token'].map((name) => String(node.getNodeParameter(name, 0)));
		const headers = { Authorization: `Bearer ${token}` };
		/** @type {object[]} */
		const results = [];
		const items = node.getInputData().entries();
		const worker = async () => {
			// The workers share the iterator: each takes the next item.
			for (const [index, { json: item }] of items) {
				const { method, path, body } = /** @type {Function} */ (REQUESTS[String(operation)])(item);
				const response = await node.helpers.httpRequest({ method, url: url + path, headers, body, json: true });
				// n8n's helper returns '' for a response without a body.
				results[index] = { json: response || {}, pairedItem: index };
			}
		};
		await Promise.all(Array.from({ length: MAX_IN_FLIGHT }, worker));
		return results;
	},

	/** Reports how many items are without an error, the process's peak memory, and the longest time in ms in which n8n couldn't respond. */
	finish(node) {
		eventLoop.disable();
		const successCount = node.getInputData().filter(({ json, error }) => !error && !json.error).length;
		const peakMemory = process.resourceUsage().maxRSS * 1024;
		return [{ json: { successCount, peakMemory, maxEventLoopDelay: eventLoop.max / 1e6 } }];
	},
};

/** The nodes before and after the measured node, and one that only calls `httpRequest`, which is measured too. */
class Harness {
	constructor() {
		const parameterNames = ['step', 'items', 'operation', 'url', 'token'];
		this.description = {
			displayName: 'Benchmark Harness',
			name: 'harness',
			group: ['transform'],
			version: 1,
			description: 'Runs before and after the measured node',
			defaults: { name: 'Benchmark Harness' },
			inputs: ['main'],
			outputs: ['main'],
			properties: parameterNames.map((name) => ({ displayName: name, name, type: 'string', default: '' })),
		};
	}

	/** @this {Node} */
	async execute() {
		return [await STEPS[String(this.getNodeParameter('step', 0))]?.(this)];
	}
}

module.exports = { Harness };
