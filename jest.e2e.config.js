const config = require('./jest.config.js');

/**
 * Tests in a real n8n, started by scripts/commands/e2e.mts. They are ES modules, like the scripts that they import.
 * @type {import('jest').Config}
 */
module.exports = {
	...config,
	testMatch: ['**/*.test.mts'],
	extensionsToTreatAsEsm: ['.mts'],
	moduleFileExtensions: ['mts', 'ts', 'mjs', 'js', 'json', 'node'],
	transform: {
		'^.+\\.mts$': ['ts-jest', { useESM: true, tsconfig: '<rootDir>/tsconfig.esm.json' }],
		...config.transform,
	},
	// For tests that hang. Some start n8n, or kill a worker, several times.
	testTimeout: 1_800_000,
	// Two in parallel if they share an n8n; other tests each start an n8n or a browser.
	maxWorkers: process.env.VOICE_ADMIN_N8N_SERVER ? 2 : 1,
};
