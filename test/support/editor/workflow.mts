import type { Page } from 'playwright-core';

import { chain, type WorkflowNode } from '../../../scripts/n8n/workflow.mts';
import type { Desk } from './inEditor.mts';
import type { Clip } from './screenshots.mts';

/** Around the nodes, in pixels of the page; n8n's buttons begin soon after. */
const MARGIN = 12;

/** Opens a new workflow that starts by hand and has these nodes behind one another. */
export async function openNewWorkflow(desk: Desk, nodes: WorkflowNode[] = []): Promise<void> {
	await openSaved(desk, chain({ id: '', name: 'Try out', nodes }));
}

/** Saves a workflow as a new one, and opens it. */
export async function openSaved({ page, url, rest }: Desk, workflow: { id: string; nodes: unknown[] }): Promise<void> {
	const { id } = await rest<{ id: string }>('POST', '/workflows', { ...workflow, id: undefined });
	await page.goto(`${url}/workflow/${id}`);
	await page.getByTestId('canvas-node').nth(workflow.nodes.length > 1 ? 1 : 0).waitFor();
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
