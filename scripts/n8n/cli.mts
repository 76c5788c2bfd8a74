import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createFailure } from '../bootstrap/failure.mjs';
import { runOrFail, startWithLog } from '../bootstrap/processes.mjs';
import { withTemporaryFolder } from '../bootstrap/temporaryFolder.mjs';
import { type N8nInstance, createN8nEnv, type Settings } from './home.mts';

/** log: the log file's name; settings: environment variables for this process only. */
interface N8nOptions {
	log?: string;
	settings?: Settings | undefined;
}

/** What n8n imports, by the name of its import command. */
interface ImportContent {
	credentials?: readonly object[];
	workflow?: readonly object[];
}

type Command = Parameters<typeof startWithLog>;

async function createCommand(n8n: N8nInstance, args: string[], options: N8nOptions = {}): Promise<Command> {
	const { settings, log = `n8n-${args[0]?.replace(':', '-')}` } = options;
	await mkdir(n8n.home, { recursive: true });
	const env = { ...(await createN8nEnv(n8n)), ...settings };
	return [n8n.node.bin, [path.join(n8n.modules, 'n8n', 'bin', 'n8n'), ...args], { log, cwd: n8n.home, env }];
}

/** Starts an n8n command with its output in a log. @param args such as `['worker', '--concurrency=5']` */
export const startN8n = async (...command: Parameters<typeof createCommand>) =>
	startWithLog(...(await createCommand(...command)));

/** Runs an n8n command, such as `['import:workflow', '--input=…']`, to its end. @throws {Failure} if the exit code isn't 0 */
export async function runN8nCommand(n8n: N8nInstance, args: string[]): Promise<void> {
	await runOrFail(...(await createCommand(n8n, args)), `n8n ${args[0]} failed; the lines above say why.`);
}

/** Imports credentials and workflows with n8n's commands, replacing those with the same ids. */
export async function importInto(n8n: N8nInstance, content: ImportContent): Promise<void> {
	// A separate folder per import: tests import in parallel.
	await withTemporaryFolder(path.join(n8n.home, 'import-'), async (folder) => {
		for (const [kind, records] of Object.entries(content) as Array<[string, object[]]>) {
			if (records.length === 0) continue;
			const file = path.join(folder, `${kind}.json`);
			await writeFile(file, JSON.stringify(records));
			await runN8nCommand(n8n, [`import:${kind}`, `--input=${file}`]);
		}
	});
}

type Json = Record<string, unknown>;

/** A run of a node in an execution's `runData`. */
export interface NodeRun {
	data?: { main?: Array<Array<{ json: Json; error?: unknown; pairedItem?: { item?: number } }> | null> };
	error?: unknown;
}

export interface Execution {
	/** By the node's name. */
	runData: Record<string, NodeRun[]>;
	/** That stopped the execution. */
	error?: { message: string };
	/** Everything that n8n printed. */
	output: string;
}

/**
 * Runs an imported workflow once by `n8n execute`. A failed execution is returned, with its error.
 * @throws {Failure} if n8n itself fails, and prints no execution
 */
export async function executeWorkflow(n8n: N8nInstance, id: string, options?: N8nOptions): Promise<Execution> {
	const result = await (await startN8n(n8n, ['execute', `--id=${id}`, '--rawOutput'], options)).exit;
	try {
		// n8n prints log lines before and after the execution; at log level debug, a timestamp precedes its "{".
		const [execution = ''] = /(?<=^|\| )\{$.*?^\}/ms.exec(result.output) ?? [];
		const { runData, error } = (JSON.parse(execution) as { data: { resultData: Execution } }).data.resultData;
		return { runData, ...(error && { error }), output: result.output };
	} catch (error) {
		const reason = (error as Error).message;
		throw createFailure(`n8n printed no result of an execution (${reason}); the lines above say why.`, result);
	}
}

/** The output of a node: items, and errors as n8n shows them to the user. */
export interface NodeOutput {
	json: Json[];
	errors: Array<{ message: string; description?: string; httpCode?: string }>;
}

/** @param runs the node's entry in `runData` */
export function outcomeOf(runs: NodeRun[] | undefined): NodeOutput {
	const outcome: NodeOutput = { json: [], errors: [] };
	for (const run of runs ?? []) {
		if (run.error) outcome.errors.push(readError(run.error));
		for (const item of (run.data?.main ?? []).flatMap((output) => output ?? [])) {
			const error = item.error ?? item.json.error;
			if (error) outcome.errors.push(readError(error, item.json));
			else outcome.json.push(item.json);
		}
	}
	return outcome;
}

/** In an item, an error is a message or an object, depending on n8n's version and on the kind of error. */
function readError(error: unknown, json: Json = {}): NodeOutput['errors'][number] {
	const fields: object = { ...json, ...(typeof error === 'object' ? error : { message: error }) };
	const { message, description, httpCode } = fields as Partial<Record<string, string>>;
	return {
		message: String(message),
		...(description && { description }),
		...(httpCode && { httpCode: String(httpCode) }),
	};
}
