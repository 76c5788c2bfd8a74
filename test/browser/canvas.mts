import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { ROOT } from '../../scripts/bootstrap/paths.mjs';
import type { Scenario } from '../support/browser/inEditor.mts';
import { readmeScreenshot, THEMES } from '../support/browser/screenshots.mts';
import { nodesOnCanvas, openSaved } from '../support/browser/workflow.mts';

interface Tour {
	id: string;
	nodes: Array<{ type: string }>;
}

export function canvas(scenario: Scenario): void {
	for (const { theme, suffix } of THEMES) {
		scenario(`runs from end to end in the ${theme} theme, node by node`, async (editor) => {
			const { page } = editor;
			const tour = JSON.parse(await readFile(path.join(ROOT, 'examples', 'tour.json'), 'utf8')) as Tour;
			await page.emulateMedia({ colorScheme: theme });
			await openSaved(editor, tour);
			await page.getByTestId('execute-workflow-button').click();
			const nodes = tour.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
			await page.getByTestId('canvas-node-status-success').nth(nodes.length - 1).waitFor();
			await page.getByTestId('zoom-to-fit').click();
			await readmeScreenshot(page, `tour${suffix}`, { clip: await nodesOnCanvas(page), scale: 'css' });
		});
	}
}
