import type { INodeParameters } from 'n8n-workflow';
import type { Page } from 'playwright-core';

import { chain } from '../../../scripts/n8n/workflow.mts';
import type { Desk } from './inEditor.mts';
import type { Clip } from './screenshots.mts';

/** Around the nodes, in pixels of the page; n8n's buttons begin soon after. */
const MARGIN = 12;

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

/** Nodes and notes on the canvas, without n8n's buttons around it. */
export async function nodesOnCanvas(page: Page): Promise<Clip> {
	const boxes = (await Promise.all((await page.getByTestId('sticky').or(page.getByTestId('canvas-node')).all()).map((node) => node.boundingBox()))).filter((box) => box !== null);
	const x = Math.min(...boxes.map((box) => box.x)) - MARGIN;
	const y = Math.min(...boxes.map((box) => box.y)) - MARGIN;
	const right = Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN;
	const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN;
	return { x, y, width: right - x, height: bottom - y };
}
