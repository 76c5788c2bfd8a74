// By a path, as it has no types.
const { default: circus } = require(require.resolve('jest-circus/runner'));

/** The mutant, by StrykerJS's number, that a test of this process has noticed last. @type {string | undefined} */
let noticed;

/**
 * jest-circus, which skips all tests after the first that fails: StrykerJS runs jest without `bail`, and most mutants of
 * transport would take 86 s each. (It looks for "jest-circus" in the name of this file.)
 */
module.exports = async (/** @type {any[]} */ ...run) => {
	const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
	const [, , environment] = run;
	const { handleTestEvent } = environment;
	environment.handleTestEvent = async (/** @type {any} */ event, /** @type {any} */ state) => {
		await handleTestEvent?.call(environment, event, state);
		if (event.name === 'test_done' && event.test.errors.length > 0) noticed = mutant;
		if (mutant === undefined || noticed !== mutant) return;
		if (event.name === 'test_start') event.test.mode = 'skip';
		if (event.name === 'run_describe_start') event.describeBlock.mode = 'skip';
	};
	const result = await circus(...run);
	// StrykerJS keeps a message of each mutant, and some have megabytes.
	for (const test of result.testResults)
		test.failureMessages = test.failureMessages.map((/** @type {string} */ text) => text.slice(0, 2_000));
	return result;
};
