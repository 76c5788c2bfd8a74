const { statSync } = require('node:fs');
const path = require('node:path');

const { default: Sequencer } = require('@jest/test-sequencer');

/** @param {import('@jest/test-result').Test} test */
const isUnit = ({ path: file }) => path.basename(path.dirname(file)) === 'unit';

/** @param {import('@jest/test-result').Test} test */
const length = ({ path: file }) => statSync(file).size;

/** A mutant is noticed by the first test that fails: units before what needs an executor, and short files before long ones. */
module.exports = class extends Sequencer {
	/**
	 * @override
	 * @param {import('@jest/test-result').Test[]} tests
	 */
	sort(tests) {
		return [...tests].sort((one, other) => Number(isUnit(other)) - Number(isUnit(one)) || length(one) - length(other));
	}
};
