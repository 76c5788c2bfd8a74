import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { serveEditor } from '../../scripts/n8n/server.mjs';
import { stopChildren } from '../../scripts/setup/children.mjs';
import { anyFreePort } from '../../scripts/setup/ports.mjs';
import { n8n } from './n8n.mts';

const ENDED_WITHIN_MS = 60_000;

/** The mark of a browser: n8n takes a session only together with it. */
const BROWSER_ID = 'n8n-voice-admin-e2e';

/** Statuses of an execution that goes on. */
const OPEN = ['new', 'running', 'waiting', 'unknown'];

/** An execution that has ended. */
export interface Ended {
	status: string;
	/** All of its data, as n8n stores it. */
	data: string;
}

/** A running n8n, to which somebody has signed in. */
export interface N8nServer {
	/** Address without a slash at its end. */
	url: string;
	/**
	 * Runs a workflow as *Execute workflow* in the editor does, to its end.
	 * @param trigger name of the node that it starts with
	 * @param item what the trigger gives, where it would wait for somebody
	 */
	run(workflowId: string, trigger: string, item?: IDataObject): Promise<Ended>;
	/** Ends it. */
	stop(): Promise<void>;
}

/** Starts the n8n of these tests, with what was imported into it. */
export async function startN8nServer(): Promise<N8nServer> {
	const { url, owner } = await serveEditor(n8n, { port: await anyFreePort(), log: `n8n-examples-${n8n.version}` });
	const session = { 'content-type': 'application/json', 'browser-id': BROWSER_ID };
	const login = await fetch(`${url}/rest/login`, {
		method: 'POST',
		headers: session,
		body: JSON.stringify({ emailOrLdapLoginId: owner.email, password: owner.password }),
	});
	if (!login.ok) throw new Error(`n8n refused the sign-in: ${login.status} ${await login.text()}`);
	const headers = { ...session, cookie: login.headers.getSetCookie().map((cookie) => cookie.split(';')[0]).join('; ') };

	async function rest<T>(method: string, path: string, body?: object): Promise<T> {
		const response = await fetch(`${url}/rest${path}`, { method, headers, body: body && JSON.stringify(body) });
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path} of n8n: ${response.status} ${text.slice(0, 500)}`);
		return (JSON.parse(text) as { data: T }).data;
	}

	return {
		url,
		stop: stopChildren,
		async run(workflowId, name, item) {
			const workflowData = await rest<object>('GET', `/workflows/${workflowId}`);
			const data = item && { startTime: 0, executionTime: 0, executionIndex: 0, executionStatus: 'success', source: [null], data: { main: [[{ json: item }]] } };
			const { executionId } = await rest<{ executionId?: string }>('POST', `/workflows/${workflowId}/run`, { workflowData, triggerToStartFrom: { name, data } });
			if (!executionId) throw new Error(`n8n did not run the workflow ${workflowId}`);
			for (const deadline = Date.now() + ENDED_WITHIN_MS; ; await sleep(100)) {
				const execution = await rest<Ended>('GET', `/executions/${executionId}`);
				if (!OPEN.includes(execution.status)) return execution;
				if (Date.now() > deadline) throw new Error(`The execution of ${workflowId} had not ended after ${ENDED_WITHIN_MS / 1000} s`);
			}
		},
	};
}
