const { TestEnvironment } = require('jest-environment-node');

const load = require;

/** Gives all test files of a worker one copy of n8n's engine, which takes longer to load than most of them to run. */
module.exports = class extends TestEnvironment {
	/** @override */
	async setup() {
		await super.setup();
		// Loaded by the first that needs it.
		this.global.loadOnce = load;
	}
};
