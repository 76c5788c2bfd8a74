const path = require('node:path');

const config = require('../../jest.config');

/**
 * For `npm run mutation`: the tests that run in this process and load the sources.
 * @type {import('jest').Config}
 */
module.exports = {
	...config,
	rootDir: path.join(__dirname, '..', '..'),
	roots: ['<rootDir>/test/unit', '<rootDir>/test/simulation', '<rootDir>/test/executor'],
	testPathIgnorePatterns: [
		...(config.testPathIgnorePatterns ?? []),
		// They take long and add little.
		'/responseLimits',
		'/contract',
		// They read the sources as text, in which the mutants are.
		'/patterns',
	],
	testSequencer: path.join(__dirname, 'shortestFirst.js'),
	testRunner: path.join(__dirname, 'jest-circus-until-failure.js'),
	maxWorkers: 1,
	// A mutant that hangs fails its test long before StrykerJS ends the whole run.
	testTimeout: 20_000,
};
