const path = require('node:path');

const config = require('../../jest.config');

const here = (/** @type {string[]} */ ...names) => path.join(__dirname, ...names);

/**
 * For `npm run mutation`: the tests that run in this process and load the sources.
 * @type {import('jest').Config}
 */
module.exports = {
	...config,
	rootDir: path.join(__dirname, '..', '..'),
	roots: ['<rootDir>/test/unit', '<rootDir>/test/executor'],
	testPathIgnorePatterns: [
		...(config.testPathIgnorePatterns ?? []),
		// They take long and add little.
		'/manyExecutions', '/responseLimits', '/contract',
		// It reads the sources as text, in which the mutants are.
		'/patterns',
	],
	testSequencer: here('quickestFirst.js'),
	testEnvironment: here('sharedModules.js'),
	moduleNameMapper: { '^(n8n-workflow|n8n-core)$': here('shared', '$1.js') },
	maxWorkers: 1,
};
