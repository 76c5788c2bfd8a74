const { TestEnvironment } = require('jest-environment-node');

/** Gives all test files one copy of what takes long to load, and never has a mutant in it. */
module.exports = class extends TestEnvironment {
	/** @override */
	async setup() {
		await super.setup();
		this.global.sharedModules = { 'n8n-workflow': require('n8n-workflow'), 'n8n-core': require('n8n-core') };
	}
};
