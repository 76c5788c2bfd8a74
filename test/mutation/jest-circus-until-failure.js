const { default: circus } = require('jest-circus/runner');
const { createEmptyTestResult } = require('@jest/test-result');

/** The mutant, by StrykerJS's number, that a test of this process has noticed last. @type {string | undefined} */
let noticed;

/** In place of a file's tests: jest takes a file without any for one that cannot be run. @type {import('@jest/test-result').AssertionResult} */
const NOT_RUN = { ancestorTitles: [], failureDetails: [], failureMessages: [], fullName: 'not run', numPassingAsserts: 0, status: 'pending', title: 'not run' };

/**
 * Runs a file's tests with jest-circus, up to the first that fails: StrykerJS runs jest without `bail`, and one failed test
 * is all that it needs of a mutant. (It looks for "jest-circus" in the name of this file.)
 *
 * @param {import('@jest/types').Config.GlobalConfig} globalConfig
 * @param {import('@jest/types').Config.ProjectConfig} config
 * @param {import('@jest/environment').JestEnvironment} environment
 * @param {import('jest-runtime').default} runtime
 * @param {string} testPath
 */
module.exports = async (globalConfig, config, environment, runtime, testPath) => {
	const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
	const isNoticed = () => mutant !== undefined && noticed === mutant;
	if (isNoticed()) return { ...createEmptyTestResult(), testFilePath: testPath, numPendingTests: 1, testResults: [NOT_RUN] };
	const { handleTestEvent } = environment;
	/** @type {typeof handleTestEvent} */
	environment.handleTestEvent = async (/** @type {import('@jest/types').Circus.Event} */ event, /** @type {import('@jest/types').Circus.State} */ state) => {
		await handleTestEvent?.call(environment, /** @type {any} */ (event), state);
		if (event.name === 'test_done' && event.test.errors.length > 0) noticed = mutant;
		if (!isNoticed()) return;
		if (event.name === 'test_start') event.test.mode = 'skip';
		if (event.name === 'run_describe_start') event.describeBlock.mode = 'skip';
	};
	return await circus(globalConfig, config, environment, runtime, testPath);
};
