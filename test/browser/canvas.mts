import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { Page } from 'playwright-core';

import { ROOT } from '../../scripts/bootstrap/paths.mjs';
import type { Scenario } from '../support/editor/inEditor.mts';
import { type Clip, readmeScreenshot } from '../support/editor/screenshots.mts';
import { openSaved } from '../support/editor/workflow.mts';

/** Around the nodes, in pixels of the page; n8n's buttons begin soon after. */
const MARGIN = 12;

interface Tour {
	id: string;
	nodes: Array<{ type: string }>;
}

export function canvas(scenario: Scenario): void {
	for (const { theme, picture } of [
		{ theme: 'light', picture: 'tour' },
		{ theme: 'dark', picture: 'tour-dark' },
	] as const) {
		scenario(`runs from end to end in the ${theme} theme, node by node`, async (desk) => {
			const { page } = desk;
			const tour = JSON.parse(await readFile(path.join(ROOT, 'examples', 'tour.json'), 'utf8')) as Tour;
			await page.emulateMedia({ colorScheme: theme });
			await openSaved(desk, tour);
			await page.getByTestId('execute-workflow-button').click();
			const nodes = tour.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
			await page.getByTestId('canvas-node-status-success').nth(nodes.length - 1).waitFor();
			await page.getByTestId('zoom-to-fit').click();
			await readmeScreenshot(page, picture, { clip: await nodesOnCanvas(page), scale: 'css' });
		});
	}
}

/** Nodes and notes on the canvas, without n8n's buttons around it. */
async function nodesOnCanvas(page: Page): Promise<Clip> {
	const boxes = (await Promise.all((await page.getByTestId('sticky').or(page.getByTestId('canvas-node')).all()).map((node) => node.boundingBox()))).filter((box) => box !== null);
	const x = Math.min(...boxes.map((box) => box.x)) - MARGIN;
	const y = Math.min(...boxes.map((box) => box.y)) - MARGIN;
	const right = Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN;
	const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN;
	return { x, y, width: right - x, height: bottom - y };
}
