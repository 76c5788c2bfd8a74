import { executeWorkflow } from '../n8n/execute.mjs';
import { outcomeOf } from '../n8n/outcome.mjs';
import { secretsIn } from '../n8n/secrets.mjs';
import { EXPECTED } from './expected.mjs';
import { exampleWorkflows } from './import.mjs';
import { TOUR_ID, voiceAdminNodes } from './tour-nodes.mjs';

/**
 * Runs the tour workflow in n8n once and holds each node's outcome against what is expected.
 * @param {import('../n8n/home.mjs').N8n} n8n
 * @returns {Promise<{ rows: Row[], secrets: string[] }>} with the secrets found in what n8n printed
 * @typedef {{ name: string, operation: string, input: string, outcome: import('../n8n/outcome.mjs').Outcome, expected: string, asExpected: boolean }} Row
 */
export async function runTour(n8n) {
	const { runData, output } = await executeWorkflow(n8n, TOUR_ID);
	const tour = (await exampleWorkflows()).find(({ id }) => id === TOUR_ID);
	const rows = voiceAdminNodes(tour).map((node) => {
		const outcome = outcomeOf(runData[node.name]);
		const expected = EXPECTED[node.name];
		return { ...node, outcome, expected: expected?.says ?? 'something that scripts/demo/expected.mjs says', asExpected: expected?.holds(outcome) ?? false };
	});
	return { rows, secrets: secretsIn(output) };
}
