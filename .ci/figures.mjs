// Prints jest's totals over all steps of .ci/run, and repeats its failures, which are hard to find in the output above. Fails
// if there are no results.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const RESULTS = '.cache/results';
const MOST_SHOWN = 3000;

const files = existsSync(RESULTS) ? readdirSync(RESULTS) : [];
if (files.length === 0) process.exitCode = 1;
let passed = 0;
let failed = 0;
for (const file of files) {
	const result = JSON.parse(readFileSync(path.join(RESULTS, file), 'utf8'));
	passed += result.numPassedTests;
	// A file that could not run has no tests, and counts as one failure.
	failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
	for (const { name, status, message, assertionResults } of result.testResults) {
		const tests = assertionResults.filter((/** @type {{ status: string }} */ test) => test.status === 'failed');
		if (tests.length === 0 && status === 'failed') tests.push({ fullName: name, failureMessages: [message] });
		for (const { fullName, failureMessages } of tests) {
			console.log(`${file}: ${fullName}\n${failureMessages.join('\n').slice(0, MOST_SHOWN).replace(/^/gm, '  ')}\n`);
		}
	}
}
console.log(`tests: ${passed} passed, ${failed} failed`);
