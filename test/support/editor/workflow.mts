import type { INodeParameters } from 'n8n-workflow';

import { chain } from '../../../scripts/n8n/workflow.mts';
import type { Desk } from './inEditor.mts';

interface NodeInWorkflow {
	name: string;
	type: string;
	typeVersion: number;
	parameters: INodeParameters;
	credentials?: Record<string, { id: string; name: string }>;
}

/** Opens a new workflow that starts by hand and has these nodes behind one another. */
export async function openNewWorkflow(desk: Desk, nodes: NodeInWorkflow[] = []): Promise<void> {
	await openSaved(desk, chain({ id: '', name: 'Try out', nodes }));
}

/** Saves a workflow as a new one, and opens it. */
export async function openSaved({ page, url, browserId }: Desk, { id: _id, ...content }: { id: string; nodes: unknown[] }): Promise<void> {
	const reply = await page.context().request.post(`${url}/rest/workflows`, { headers: { 'browser-id': browserId }, data: content });
	if (!reply.ok()) throw new Error(`n8n did not save the workflow: ${reply.status()} ${await reply.text()}`);
	const { id } = ((await reply.json()) as { data: { id: string } }).data;
	await page.goto(`${url}/workflow/${id}`);
	await page.getByTestId('canvas-node').nth(content.nodes.length > 1 ? 1 : 0).waitFor();
}
