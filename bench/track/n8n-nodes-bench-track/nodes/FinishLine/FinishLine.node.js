'use strict';

const { NodeConnectionTypes } = require('n8n-workflow');
const atTheStart = require('../../atTheStart');

class FinishLine {
	constructor() {
		this.description = {
			displayName: 'Finish Line',
			name: 'finishLine',
			group: ['output'],
			version: 1,
			description: 'Counts the items that came, and says what the process has used since the starting line',
			defaults: { name: 'Finish Line' },
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
		};
	}

	async execute() {
		// First, as what follows uses some of both itself.
		const { user, system } = process.cpuUsage(atTheStart.cpu);
		const peakMemory = process.resourceUsage().maxRSS * 1024;
		await atTheStart.profiler?.writeTo(process.env.BENCH_PROFILE);
		const items = this.getInputData();
		const failed = items.filter(({ json, error }) => error || json.error).length;
		return [[{ json: { good: items.length - failed, failed, cpu: (user + system) / 1000, peakMemory } }]];
	}
}

module.exports = { FinishLine };
