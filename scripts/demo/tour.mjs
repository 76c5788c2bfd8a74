import { Failure } from '../setup/failure.mjs';
import { EXPECTED } from './expected.mjs';
import { exampleWorkflows } from './import.mjs';
import { n8nCommand } from './n8n-command.mjs';
import { outcomeOf } from './outcome.mjs';
import { secretsIn } from './secrets.mjs';
import { TOUR_ID, voiceAdminNodes } from './tour-nodes.mjs';

/**
 * Runs the tour workflow in n8n once and holds each node's outcome against what is expected.
 * @param {Awaited<ReturnType<typeof import('../setup/runtime.mjs').ensureRuntime>>} runtime
 * @param {{ port: number, report?: (line: string) => void }} options
 * @returns {Promise<{ rows: Row[], secrets: string[] }>} with the secrets found in what n8n printed
 * @typedef {{ name: string, operation: string, input: string, outcome: import('./outcome.mjs').Outcome, expected: string, asExpected: boolean }} Row
 */
export async function runTour(runtime, options) {
	const { stdout, output } = await n8nCommand(runtime, ['execute', `--id=${TOUR_ID}`, '--rawOutput'], options);
	const { runData } = readExecution(stdout);
	const tour = (await exampleWorkflows()).find(({ id }) => id === TOUR_ID);
	const rows = voiceAdminNodes(tour).map((node) => {
		const outcome = outcomeOf(runData[node.name]);
		const expected = EXPECTED[node.name];
		return { ...node, outcome, expected: expected?.says ?? 'something that scripts/demo/expected.mjs says', asExpected: expected?.holds(outcome) ?? false };
	});
	return { rows, secrets: secretsIn(stdout + output) };
}

/** n8n prints a few lines of its own before the execution. */
function readExecution(stdout) {
	try {
		return JSON.parse(stdout.slice(stdout.search(/^\{$/m), stdout.lastIndexOf('}') + 1)).data.resultData;
	} catch (error) {
		throw new Failure(`What n8n printed is not the result of an execution (${error.message}); see .cache/logs/n8n-execute.log.`);
	}
}
