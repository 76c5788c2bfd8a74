'use strict';

const http = require('node:http');

/** What the process had used when the measured node began. */
let cpuAtStart = { user: 0, system: 0 };

// The node before and the one after the measured node: the first makes the items and waits until it is this process's
// turn (see bench/harness/execute.mts), the second says what came and what the process has used between the two.
class Harness {
	constructor() {
		this.description = {
			displayName: 'Benchmark Harness',
			name: 'harness',
			group: ['transform'],
			version: 1,
			description: 'Stands before and after the node that is measured',
			defaults: { name: 'Benchmark Harness' },
			inputs: ['main'],
			outputs: ['main'],
			properties: ['step', 'items', 'isoCodes'].map((name) => ({ displayName: name, name, type: 'string', default: '' })),
		};
	}

	/** @this {import('n8n-workflow').IExecuteFunctions} */
	async execute() {
		return [await (this.getNodeParameter('step', 0) === 'start' ? start(this) : finish(this))];
	}
}

async function start(node) {
	const codes = node.getNodeParameter('isoCodes', 0).split(',');
	const items = Array.from({ length: node.getNodeParameter('items', 0) }, (_, n) => ({ json: { id: n + 1, iso: codes[n % codes.length] }, pairedItem: 0 }));
	const turn = process.env.BENCH_TURN_URL;
	// In a server it is the webhook's call that comes in turn.
	if (turn) await new Promise((resolve, reject) => void http.get(turn, { agent: false }, (reply) => reply.resume().once('end', resolve)).once('error', reject));
	cpuAtStart = process.cpuUsage();
	return items;
}

async function finish(node) {
	// First, as what follows uses some of both itself.
	const { user, system } = process.cpuUsage(cpuAtStart);
	const peakMemory = process.resourceUsage().maxRSS * 1024;
	const good = node.getInputData().filter(({ json, error }) => !error && !json.error).length;
	return [{ json: { good, cpu: (user + system) / 1000, peakMemory } }];
}

module.exports = { Harness };
