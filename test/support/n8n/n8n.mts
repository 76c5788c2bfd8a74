import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'flatted';
import type { IDataObject } from 'n8n-workflow';
import { type LoggedRequest, type Sandbox, startSandbox } from '../../../sandbox';
import type { NodeRun } from '../../../scripts/n8n/cli.mts';
import type { N8nInstance } from '../../../scripts/n8n/home.mts';
import { publishWorkflow, createRest } from '../../../scripts/n8n/server.mts';
import { until } from '../until';

/** Requests and errors that a failure shows. */
export const SHOWN = 40;

/** Adds to a failure what its reader would look for next. */
export async function withEvidence(work: () => Promise<void>, evidence: () => Promise<string> | string): Promise<void> {
	try {
		await work();
	} catch (error) {
		throw new Error(await evidence(), { cause: error });
	}
}

/** What was asked of a sandbox, line by line. */
export function linesOf(requests: LoggedRequest[]): string {
	const lines = requests.slice(-SHOWN).map(({ method, path, status, milliseconds, fault }) => {
		return `  ${method} ${path} ${status} ${milliseconds} ms${fault ? ` (fault: ${fault})` : ''}`;
	});
	return [
		`The sandbox's ${requests.length} requests${requests.length > SHOWN ? `, the last ${SHOWN}` : ''}:`,
		...lines,
	].join('\n');
}

/** What npm run e2e has prepared, in an environment variable. */
function given<T>(name: string): T {
	const value = process.env[name];
	if (value === undefined)
		throw new Error('These tests run in an n8n that a command prepares for them: npm run e2e -- -t "name of a test"');
	return JSON.parse(value) as T;
}

/** The n8n that npm run e2e has installed and put the package into. */
export const n8n = given<N8nInstance>('VOICE_ADMIN_N8N');

/**
 * A sandbox at an address that no other test of this n8n has had: n8n keeps the token of an address as long as it runs,
 * and files of tests run side by side.
 */
export async function startOwnSandbox(): Promise<Sandbox> {
	const taken = path.join(n8n.home, 'ports');
	await mkdir(taken, { recursive: true });
	for (;;) {
		const sandbox = await startSandbox();
		try {
			await writeFile(path.join(taken, String(sandbox.port)), '', { flag: 'wx' });
			return sandbox;
		} catch (error) {
			await sandbox.close();
			if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
		}
	}
}

/** Statuses of an execution that goes on. */
export const OPEN = ['new', 'running', 'waiting', 'unknown'];

/** The part of an execution's data that is used here. */
interface Stored {
	resultData: Pick<Ended, 'runData' | 'error'>;
	executionData?: { contextData: Ended['context'] };
}

/** An execution that has ended. */
interface Ended {
	id: string;
	status: string;
	/** All of its data, as n8n stores it. */
	data: string;
	/** What each node gave, run by run. */
	runData: Record<string, NodeRun[]>;
	/** The error on which it stopped. */
	error?: IDataObject;
	/** What nodes keep in it, by `node:` and their name. */
	context: Record<string, object>;
}

export type N8nServer = ReturnType<typeof sharedServer>;

/** The n8n server that all tests of `npm run e2e` share: scripts/commands/e2e.mts has started it, and signed in. */
export function sharedServer() {
	const { url, cookie, log } = given<Record<'url' | 'cookie' | 'log', string>>('VOICE_ADMIN_N8N_SERVER');
	const rest = createRest(url, cookie);
	const ended = async (id: string) =>
		await until(
			async () => {
				const execution = await rest<Ended>('GET', `/executions/${id}`);
				if (OPEN.includes(execution.status)) return undefined;
				const { resultData, executionData } = parse(execution.data) as Stored;
				return { ...execution, ...resultData, context: executionData?.contextData ?? {} };
			},
			`the execution ${id} has ended`,
			50,
		);
	return {
		url,
		/** Its REST API, for what is not below. */
		rest,
		/** Stores a workflow or a credential; returns the id that n8n gives it. */
		create: async (what: 'workflows' | 'credentials', record: object) =>
			(await rest<{ id: string }>('POST', `/${what}`, { ...record, id: undefined })).id,
		publish: async (workflowId: string, isPublished?: boolean) =>
			await publishWorkflow({ url, rest }, workflowId, isPublished),
		/**
		 * Runs a workflow as *Execute workflow* in the editor does, to its end.
		 * @param name of the trigger that it starts with
		 * @param item what the trigger gives, where it would wait for somebody
		 */
		async run(workflowId: string, name: string, item?: IDataObject): Promise<Ended> {
			const workflowData = await rest<object>('GET', `/workflows/${workflowId}`);
			const times = { startTime: 0, executionTime: 0, executionIndex: 0 };
			const data = item && { ...times, executionStatus: 'success', source: [null], data: { main: [[{ json: item }]] } };
			const body = { workflowData, triggerToStartFrom: { name, data } };
			const { executionId } = await rest<{ executionId?: string }>('POST', `/workflows/${workflowId}/run`, body);
			if (!executionId) throw new Error(`n8n did not run the workflow ${workflowId}`);
			return await ended(executionId);
		},
		/** n8n's *Retry* of a failed execution. @param isCurrent with the workflow as it is saved now */
		async retry(executionId: string, isCurrent = false): Promise<Ended> {
			await rest('POST', `/executions/${executionId}/retry`, { loadWorkflow: isCurrent });
			const { results } = await rest<{ results: Array<{ id: string; retryOf?: string }> }>('GET', '/executions');
			const retried = results.find(({ retryOf }) => retryOf === executionId);
			if (!retried) throw new Error(`n8n did not retry the execution ${executionId}`);
			return await ended(retried.id);
		},
		/** Marks a place in n8n's log; returns what gives the log from there on. */
		async logFromHere() {
			const start = (await readFile(log)).length;
			return async () => (await readFile(log)).subarray(start).toString('utf8');
		},
	};
}
