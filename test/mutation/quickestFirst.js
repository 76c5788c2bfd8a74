const path = require('node:path');

const { default: Sequencer } = require('@jest/test-sequencer');

/** @param {import('@jest/test-result').Test} test */
const isUnit = (test) => path.basename(path.dirname(test.path)) === 'unit';

/** A mutant is killed by the first test that fails: those of units before those with an executor. */
module.exports = class extends Sequencer {
	/**
	 * @override
	 * @param {import('@jest/test-result').Test[]} tests
	 */
	sort(tests) {
		return [...tests].sort((one, other) => Number(isUnit(other)) - Number(isUnit(one)));
	}
};
