const path = require('node:path');

const { default: Sequencer } = require('@jest/test-sequencer');

const SLOWEST = ['simulation/simulation.test.ts', 'scripts/operation.test.ts', 'package/docs.test.ts'].map((file) => path.join(__dirname, '..', file));

/**
 * In a fresh clone jest knows no durations, and begins with the largest files. These take longest, and on Node 20 each test file slows
 * down those after it in its process: AsyncLocalStorage stays enabled, and every promise pays for it. The simulation is made of promises.
 */
module.exports = class extends Sequencer {
	/** @override */
	sort(/** @type {import('@jest/test-result').Test[]} */ tests) {
		const isSlow = (/** @type {{ path: string }} */ test) => SLOWEST.includes(test.path);
		const sorted = [...super.sort(tests)];
		return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
	}
};
