import { executeWorkflow } from '../n8n/execute.mjs';
import { importInto } from '../n8n/import.mjs';
import { chain } from '../n8n/workflow.mjs';
import { Failure } from '../setup/failure.mjs';
import { step } from '../setup/progress.mjs';
import { ensureRuntime } from '../setup/runtime.mjs';

/** n8n itself could not be installed or started: not a failure of the package. */
export class N8nFailure extends Failure {}

/**
 * Installs n8n.
 * @param {ReturnType<typeof import('../setup/runtime.mjs').chooseRuntime>} choice
 * @throws {N8nFailure}
 */
export async function installN8n(choice) {
	return await asN8nFailure(`n8n ${choice.version} itself could not be installed`, () => ensureRuntime(choice));
}

/**
 * Runs a workflow of n8n's own nodes, before the package is there: what fails now is not the package's doing.
 * @param {import('../n8n/home.mjs').N8n} n8n with an empty home
 * @throws {N8nFailure}
 */
export async function tryN8nAlone(n8n) {
	const workflow = chain({ id: 'n8nAlone', name: 'n8n alone', nodes: [{ name: 'Item', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: { mode: 'raw', jsonOutput: '{ "here": true }' } }] });
	await step(`Trying n8n ${n8n.version} by itself`, () =>
		asN8nFailure(`n8n ${n8n.version} itself does not work on this machine`, async () => {
			await importInto(n8n, { workflow: [workflow] });
			const { runData, error } = await executeWorkflow(n8n, workflow.id);
			if (error || !runData.Item) throw new Failure(error?.message ?? 'The workflow has not run');
		}),
	);
}

async function asN8nFailure(sentence, work) {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		throw new N8nFailure(`${sentence}; the package was not tried. ${error.message}`, { details: error.details });
	}
}
