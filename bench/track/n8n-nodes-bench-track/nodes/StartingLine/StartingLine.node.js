'use strict';

const http = require('node:http');
const { NodeConnectionTypes } = require('n8n-workflow');
const atTheStart = require('../../atTheStart');
const { startProfile } = require('../../profiler');

/** Answered when it is this process's turn; see bench/track/starter.mjs. */
const untilItIsOurTurn = (url) =>
	new Promise((resolve, reject) => {
		http.get(url, { agent: false }, (reply) => reply.resume().once('end', resolve)).once('error', reject);
	});

/** Two letters for each number, AA to ZZ: what has the form of a country code. */
const isoOf = (n) => String.fromCharCode(65 + (Math.floor(n / 26) % 26), 65 + (n % 26));

class StartingLine {
	constructor() {
		this.description = {
			displayName: 'Starting Line',
			name: 'startingLine',
			group: ['input'],
			version: 1,
			description: 'Makes the items, waits until it is this process’s turn, and notes what the process has used',
			defaults: { name: 'Starting Line' },
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			properties: [{ displayName: 'Items', name: 'items', type: 'number', default: 1 }],
		};
	}

	async execute() {
		const count = this.getNodeParameter('items', 0);
		const items = Array.from({ length: count }, (_, n) => ({ json: { id: n + 1, iso: isoOf(n) }, pairedItem: 0 }));
		await untilItIsOurTurn(process.env.BENCH_TURN_URL);
		if (process.env.BENCH_PROFILE) atTheStart.profiler = await startProfile();
		atTheStart.cpu = process.cpuUsage();
		return [items];
	}
}

module.exports = { StartingLine };
