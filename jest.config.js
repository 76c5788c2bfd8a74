const { availableParallelism } = require('node:os');

const ES2022 = { target: 'es2022', esModuleInterop: true, resolveJsonModule: true };

/** @type {import('jest').Config} */
module.exports = {
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	// Slow tests run only in `npm run test:full`.
	testPathIgnorePatterns: ['/node_modules/', ...(process.env.VOICE_ADMIN_TEST_FULL ? [] : ['/test/long/'])],
	// An absolute path: StrykerJS, which wraps it, doesn't resolve <rootDir>.
	testEnvironment: require.resolve('./test/support/loadedOnce/environment.js'),
	// What a test has replaced is so for this test alone.
	restoreMocks: true,
	moduleNameMapper: { '^(n8n-core|n8n-workflow)$': '<rootDir>/test/support/loadedOnce/$1.js' },
	// More than cores: tests spend half of their time waiting for timeouts, pauses and responses.
	maxWorkers: Math.ceil(1.5 * availableParallelism()),
	// Files are only transpiled here; `npm run typecheck` checks the types.
	transform: {
		'^.+\\.[tj]s$': ['ts-jest', { tsconfig: { ...ES2022, allowJs: true, isolatedModules: true, module: 'commonjs' } }],
	},
	// These packages are ES modules only; jest's module loader needs CommonJS.
	transformIgnorePatterns: ['/node_modules/(?!(jose|marked|github-slugger)/)'],
	// For tests that hang: much longer than a test takes on a busy machine, and than the timeout of a step (test/support/until.ts).
	testTimeout: process.env.VOICE_ADMIN_TEST_FULL ? 1_800_000 : 300_000,
};
