const { TestEnvironment } = require('jest-environment-node');

const load = require;

/**
 * Gives all test files of a worker one copy of n8n's engine, which takes longer to load than most of them to run. It is loaded
 * outside of jest's context, where an Error of a test or of the node is not an instance of Error.
 */
module.exports = class extends TestEnvironment {
	/** @override */
	async setup() {
		await super.setup();
		// Loaded by the first that needs it.
		this.global.loadOnce = load;
	}
};
