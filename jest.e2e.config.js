const config = require('./jest.config.js');

/**
 * Tests in a real n8n, started by scripts/e2e. They are ES modules, as the scripts are that they use.
 * @type {import('jest').Config}
 */
module.exports = {
	...config,
	testMatch: ['**/*.test.mts'],
	extensionsToTreatAsEsm: ['.mts'],
	moduleFileExtensions: ['mts', 'ts', 'mjs', 'js', 'json', 'node'],
	transform: {
		'^.+\\.mts$': ['ts-jest', { useESM: true, tsconfig: '<rootDir>/test/tsconfig.json' }],
		...config.transform,
	},
	// n8n takes 5 to 10 seconds to start.
	testTimeout: 120_000,
};
