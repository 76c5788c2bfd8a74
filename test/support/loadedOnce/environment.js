const { realpathSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

/** The version of n8n in whose n8n-core to test, such as 2.30.8 (`npm test -- --n8n-core`); without it, that of package.json. */
const { VOICE_ADMIN_N8N_CORE: version } = process.env;

// From n8n-core's own folder, where n8n-workflow is the copy that this n8n-core uses.
const folderOf = () => realpathSync(path.resolve('runtimes/n8n-core/node_modules', `n8n-${version}`));
const load = version ? createRequire(path.join(folderOf(), 'package.json')) : require;

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
