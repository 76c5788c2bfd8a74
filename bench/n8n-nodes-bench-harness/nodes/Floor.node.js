'use strict';

/** Enough at 50 ms: n8n's own work on so many takes longer than a reply does. */
const IN_FLIGHT = 100;

/** What is sent for an item. */
const REQUESTS = {
	get: ({ id }) => ({ method: 'GET', path: `/v1/voip/dss/gtw/${id}` }),
	setPremium: ({ id, iso }) => ({ method: 'PUT', path: '/v1/voip/dss/trunk/country/setpremium', body: { idTrunk: id, iso } }),
	add: ({ id }) => ({ method: 'POST', path: '/v1/customers/add', body: { vatNumber: `C${id}` } }),
};

// A request of n8n's for each item and nothing else: no credential, no expression, no check, no retry, no
// error handling. What it takes is n8n's own, and no node that sends by n8n's helper can do with less.
class Floor {
	constructor() {
		this.description = {
			displayName: "n8n's Floor",
			name: 'floor',
			group: ['transform'],
			version: 1,
			description: 'The three operations, with the least that a node can do',
			defaults: { name: "n8n's Floor" },
			inputs: ['main'],
			outputs: ['main'],
			properties: ['operation', 'url', 'token'].map((name) => ({ displayName: name, name, type: 'string', default: '' })),
		};
	}

	/** @this {import('n8n-workflow').IExecuteFunctions} */
	async execute() {
		// Read once: they are the same for all items.
		const [operation, url, token] = ['operation', 'url', 'token'].map((name) => this.getNodeParameter(name, 0));
		const headers = { Authorization: `Bearer ${token}` };
		const results = [];
		const items = this.getInputData().entries();
		const worker = async () => {
			// One iterator for all workers: each takes the next item that nobody has taken.
			for (const [index, { json: item }] of items) {
				const { method, path, body } = REQUESTS[operation](item);
				const reply = await this.helpers.httpRequest({ method, url: url + path, headers, body, json: true });
				// A reply without a body is an empty text.
				results[index] = { json: reply || {}, pairedItem: index };
			}
		};
		await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
		return [results];
	}
}

module.exports = { Floor };
