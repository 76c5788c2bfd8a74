import { Failure } from '../setup/failure.mjs';
import { fromRoot } from '../setup/paths.mjs';
import { tail } from '../setup/run-logged.mjs';
import { startN8n } from './command.mjs';

/**
 * Runs a workflow once by `n8n execute`, to its end, which may be an error of one of its nodes.
 * @param {import('./home.mjs').N8n} n8n
 * @param {string} id of an imported workflow
 * @param {Parameters<typeof startN8n>[2]} [options]
 * @returns {Promise<{ runData: Record<string, object[]>, error?: object, output: string }>} what each node gave, by
 *   its name; the error on which the execution stopped; all that n8n printed
 * @throws {Failure} when n8n itself fails: what it prints is no execution
 */
export async function executeWorkflow(n8n, id, options) {
	// n8n exits as soon as it has printed the execution, which may be many megabytes.
	const { stdout, output, log } = await (await startN8n(n8n, ['execute', `--id=${id}`, '--rawOutput'], { ...options, wholeStdout: true })).ended;
	const { runData, error } = readExecution(stdout, () => `${tail(output)}\n(all of it: ${fromRoot(log)})`);
	return { runData, error, output: stdout + output };
}

/** n8n prints a few lines of its own before and after the execution, and at log level debug a time before its "{". */
function readExecution(stdout, details) {
	try {
		const [execution] = /(?<=^|\| )\{$.*?^\}/ms.exec(stdout) ?? [''];
		return JSON.parse(execution).data.resultData;
	} catch (error) {
		throw new Failure(`What n8n printed is not the result of an execution (${error.message}); the lines above say why.`, { details: details() });
	}
}
