const { availableParallelism } = require('node:os');

const ES2022 = { target: 'es2022', esModuleInterop: true, resolveJsonModule: true };

/** @type {import('jest').Config} */
module.exports = {
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	// What takes long is left to `npm run test:full`.
	testPathIgnorePatterns: ['/node_modules/', ...(process.env.VOICE_ADMIN_TEST_FULL ? [] : ['/test/long/'])],
	// A full path: StrykerJS, which wraps it, does not know <rootDir>.
	testEnvironment: require.resolve('./test/support/loadedOnce/environment.js'),
	moduleNameMapper: { '^(n8n-core|n8n-workflow)$': '<rootDir>/test/support/loadedOnce/$1.js' },
	// More than cores: half of the time a test waits for a time limit, a pause or a reply.
	maxWorkers: Math.ceil(1.5 * availableParallelism()),
	// Types are checked once for the whole project by `npm run typecheck`, so each file is only transpiled here.
	transform: {
		'^.+\\.[tj]s$': ['ts-jest', { tsconfig: { ...ES2022, allowJs: true, isolatedModules: true, module: 'commonjs' } }],
	},
	// These are published as ES modules only; jest's own module loader needs them as CommonJS.
	transformIgnorePatterns: ['/node_modules/(?!(jose|marked|github-slugger)/)'],
	// A test that hangs ends all the same: far later than it takes on a busy machine, and than a step of it (test/support/until.ts).
	testTimeout: process.env.VOICE_ADMIN_TEST_FULL ? 1_800_000 : 300_000,
};
