import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { parse } from 'flatted';
import type { IDataObject } from 'n8n-workflow';

import { publishWorkflow, type Rest, restOf } from '../../scripts/n8n/server.mts';

const ENDED_WITHIN_MS = 60_000;

/** Statuses of an execution that goes on. */
const OPEN = ['new', 'running', 'waiting', 'unknown'];

/** What each node gave in an execution, run by run. */
export type RunData = Record<string, NodeRun[]>;

interface NodeRun {
	data?: { main?: Array<Array<{ json: IDataObject; error?: unknown; pairedItem?: { item?: number } }> | null> };
	error?: { context?: IDataObject };
}

/** An execution that has ended. */
export interface Ended {
	status: string;
	/** All of its data, as n8n stores it. */
	data: string;
	runData: RunData;
	/** The error on which it stopped. */
	error?: IDataObject;
}

/** A running n8n, to which somebody has signed in. */
export interface N8nServer {
	/** Address without a slash at its end. */
	url: string;
	/** Its REST API, for what is not below. */
	rest: Rest;
	/** Stores a workflow or a credential; returns the id that n8n gives it. */
	create(what: 'workflows' | 'credentials', record: object): Promise<string>;
	/** Publishes a workflow, or ends that. */
	publish(workflowId: string, isPublished?: boolean): Promise<void>;
	/**
	 * Runs a workflow as *Execute workflow* in the editor does, to its end.
	 * @param trigger name of the node that it starts with
	 * @param item what the trigger gives, where it would wait for somebody
	 */
	run(workflowId: string, trigger: string, item?: IDataObject): Promise<Ended>;
	/** Marks a place in n8n's log; returns what gives the log from there on. */
	logFromHere(): Promise<() => Promise<string>>;
}

/** The n8n server that all tests of `npm run e2e` share: scripts/commands/e2e.mts has started it. */
export function sharedServer(): N8nServer {
	const given = process.env.VOICE_ADMIN_N8N_SERVER;
	if (given === undefined) throw new Error('These tests run in an n8n that npm run e2e starts for them: npm run e2e -- -t "name of a test"');
	return serverOf(JSON.parse(given) as SharedServer);
}

/** log: path of n8n's log; cookie: of a session, as n8n takes only a few sign-ins a minute. */
type SharedServer = Record<'url' | 'cookie' | 'log', string>;

function serverOf(server: SharedServer): N8nServer {
	const rest = restOf(server.url, server.cookie);
	return {
		url: server.url,
		rest,
		create: async (what, record) => (await rest<{ id: string }>('POST', `/${what}`, { ...record, id: undefined })).id,
		publish: async (workflowId, isPublished) => await publishWorkflow({ url: server.url, rest }, workflowId, isPublished),
		async run(workflowId, name, item) {
			const workflowData = await rest<object>('GET', `/workflows/${workflowId}`);
			const data = item && { startTime: 0, executionTime: 0, executionIndex: 0, executionStatus: 'success', source: [null], data: { main: [[{ json: item }]] } };
			const { executionId } = await rest<{ executionId?: string }>('POST', `/workflows/${workflowId}/run`, { workflowData, triggerToStartFrom: { name, data } });
			if (!executionId) throw new Error(`n8n did not run the workflow ${workflowId}`);
			for (const deadline = Date.now() + ENDED_WITHIN_MS; ; await sleep(50)) {
				const execution = await rest<Omit<Ended, 'runData'>>('GET', `/executions/${executionId}`);
				if (!OPEN.includes(execution.status)) return { ...execution, ...(parse(execution.data) as { resultData: Pick<Ended, 'runData' | 'error'> }).resultData };
				if (Date.now() > deadline) throw new Error(`The execution of ${workflowId} had not ended after ${ENDED_WITHIN_MS / 1000} s`);
			}
		},
		async logFromHere() {
			const start = (await readFile(server.log)).length;
			return async () => (await readFile(server.log)).subarray(start).toString('utf8');
		},
	};
}
