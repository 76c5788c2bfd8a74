const { createEmptyTestResult } = require('@jest/test-result');
// By a path, as it has no types.
const { default: circus } = require(require.resolve('jest-circus/runner'));

/** Longest message of a failed test that is kept, in characters: StrykerJS keeps one of each mutant, and some have megabytes. */
const MAX_MESSAGE = 2_000;

/** The mutant, by StrykerJS's number, that a test of this process has noticed last. @type {string | undefined} */
let noticed;

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
	if (mutant === undefined) return await circus(globalConfig, config, environment, runtime, testPath);
	const isNoticed = () => noticed === mutant;
	// jest takes a file without any test for one that cannot be run.
	if (isNoticed()) return resultOf(testPath, 'pending');
	const { handleTestEvent } = environment;
	/**
	 * @param {import('@jest/types').Circus.Event} event
	 * @param {import('@jest/types').Circus.State} state
	 */
	environment.handleTestEvent = async (event, state) => {
		await handleTestEvent?.call(environment, /** @type {any} */ (event), state);
		if (event.name === 'test_done' && event.test.errors.length > 0) noticed = mutant;
		if (!isNoticed()) return;
		if (event.name === 'test_start') event.test.mode = 'skip';
		if (event.name === 'run_describe_start') event.describeBlock.mode = 'skip';
	};
	try {
		const result = await circus(globalConfig, config, environment, runtime, testPath);
		const shortened = (/** @type {string} */ message) => message.slice(0, MAX_MESSAGE);
		for (const test of result.testResults) test.failureMessages = test.failureMessages.map(shortened);
		return result;
	} catch (error) {
		// The sources cannot be loaded any more.
		noticed = mutant;
		return resultOf(testPath, 'failed', String(error).slice(0, MAX_MESSAGE));
	}
};

/**
 * The result of a file in place of those of its tests.
 *
 * @param {string} testFilePath
 * @param {'pending' | 'failed'} status
 * @param {string[]} failureMessages
 */
function resultOf(testFilePath, status, ...failureMessages) {
	const title = 'the file';
	const test = { ancestorTitles: [], failureDetails: [], failureMessages, fullName: title, numPassingAsserts: 0, status, title };
	return { ...createEmptyTestResult(), testFilePath, [status === 'failed' ? 'numFailingTests' : 'numPendingTests']: 1, testResults: [test] };
}
