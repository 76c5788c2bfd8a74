const { statSync } = require('node:fs');

const { default: Sequencer } = require('@jest/test-sequencer');

/** A mutant is noticed by the first test that fails: short files, which are mostly units, before long ones. */
module.exports = class extends Sequencer {
	/** @override */
	sort(/** @type {import('@jest/test-result').Test[]} */ tests) {
		return [...tests].sort((one, other) => statSync(one.path).size - statSync(other.path).size);
	}
};
