import path from 'node:path';
import type { Page } from 'playwright-core';
import { ROOT } from '../../../scripts/bootstrap/paths.mjs';
import { chainNodes } from '../../../scripts/n8n/workflow.mts';
import type { WorkflowNode } from '../n8n/workflow.mts';
import type { EditorFixture } from './inEditor.mts';
import { NodePanel } from './nodePanel.mts';
import type { Clip } from './screenshots.mts';

/** Around the nodes, in pixels of the page; n8n's buttons begin soon after. */
const MARGIN = 12;

/** How long the list of workflows is waited for before it is asked for once more, in milliseconds. */
const LISTED_WITHIN_MS = 20_000;

export const SANDBOX_CREDENTIAL = { voiceAdminApi: { id: 'voiceAdminSandbox', name: 'Voice Admin sandbox' } };

/** The node, with the credential of the examples. */
export const voiceAdmin = (name: string, parameters: object): WorkflowNode => ({
	...{ name, type: 'n8n-nodes-voice-admin.voiceAdmin', typeVersion: 1, parameters },
	credentials: SANDBOX_CREDENTIAL,
});

/** Opens a new workflow that starts by hand and has these nodes behind one another. */
export async function openNewWorkflow(editor: EditorFixture, nodes: WorkflowNode[] = []): Promise<void> {
	await openSaved(editor, chainNodes({ id: '', name: 'Try out', nodes }));
}

/**
 * Imports an example into a new workflow, by n8n's menu.
 * @param name of its file, without `.json`
 * @param inMenu what is done while the menu is open
 */
export async function importFile(editor: EditorFixture, name: string, inMenu?: () => Promise<void>): Promise<void> {
	const { page } = editor;
	await goTo(editor, '/workflow/new');
	await page.getByTestId('workflow-menu').click();
	await page
		.getByText(/^Import/)
		.first()
		.hover();
	await page
		.getByText(/From file|Import from File/i)
		.first()
		.waitFor();
	await inMenu?.();
	await page.getByTestId('workflow-import-input').setInputFiles(path.join(ROOT, 'examples', `${name}.json`));
	await page.getByTestId('sticky').first().waitFor();
	await page.keyboard.press('Escape');
	await page.getByTestId('zoom-to-fit').click();
}

/** Saves a workflow as a new one, and opens it. */
export async function openSaved(editor: EditorFixture, workflow: { id: string; nodes: unknown[] }): Promise<void> {
	const { id } = await editor.rest<{ id: string }>('POST', '/workflows', { ...workflow, id: undefined });
	await goTo(editor, `/workflow/${id}`);
	await editor.page
		.getByTestId('canvas-node')
		.nth(workflow.nodes.length > 1 ? 1 : 0)
		.waitFor();
}

/**
 * Opens a page of the editor. From a workflow it goes there by way of the list of workflows, within the page, as the
 * Back button does: loading the editor takes five seconds of a core, and n8n 2.8 may lose what a run tells the editor
 * when another workflow is opened directly.
 */
async function goTo({ page, url }: EditorFixture, path: string): Promise<void> {
	const within = async (to: string) =>
		await page.evaluate(`history.pushState(null, '', '${to}'), dispatchEvent(new PopStateEvent('popstate'))`);
	if (!page.url().startsWith(`${url}/workflow/`)) return void (await page.goto(url + path));
	const isListed = async () =>
		await page
			.getByTestId('resources-list-wrapper')
			.waitFor({ timeout: LISTED_WITHIN_MS })
			.then(
				() => true,
				() => false,
			);
	// Once more where n8n has just saved the workflow by itself: it then goes to the address of what it saved.
	for (let tries = 0; tries < 5; tries++) {
		await within('/home/workflows');
		if (await isListed()) break;
	}
	await within(path);
}

/** Nodes with their names, and notes, without n8n's buttons around the canvas. */
export async function nodesOnCanvas(page: Page): Promise<Clip> {
	// The name of a node is wider than its box.
	const shown = page.locator('[data-test-id="sticky"], [data-test-id="canvas-node"], [data-test-id="canvas-node"] *');
	return await shown.evaluateAll((all, margin) => {
		const boxes = all.map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0);
		const x = Math.min(...boxes.map(({ left }) => left)) - margin;
		const y = Math.min(...boxes.map(({ top }) => top)) - margin;
		const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))];
		return { x, y, width: right + margin - x, height: bottom + margin - y };
	}, MARGIN);
}

/** Opens the list of nodes in a new workflow, for what comes after its first node: the new node is connected with it. */
export async function openNodesPanel(editor: EditorFixture): Promise<void> {
	const { page } = editor;
	await openNewWorkflow(editor);
	await page.getByTestId('canvas-handle-plus').first().click();
	await page.getByTestId('node-creator-search-bar').waitFor();
}

/** Types a word, and waits until a name is offered. */
export async function search(page: Page, word: string, expected: string): Promise<void> {
	await page.getByTestId('node-creator-search-bar').fill(word);
	await offered(page, expected).first().waitFor();
}

export async function namesOffered(page: Page): Promise<string[]> {
	return await page.getByTestId('node-creator-item-name').allInnerTexts();
}

/** Picks one of the names, and waits until the list that it was in is gone. */
export async function pick(page: Page, name: string): Promise<void> {
	await offered(page, name).first().click();
	await offered(page, name).first().waitFor({ state: 'detached' });
}

function offered(page: Page, name: string) {
	return page.getByTestId('node-creator-item-name').getByText(name, { exact: true });
}

/** Adds the node as a person does: behind the start, found by a word, by what it is to do. */
export async function addNode(editor: EditorFixture, action: string): Promise<NodePanel> {
	const { page } = editor;
	await openNodesPanel(editor);
	await search(page, 'voice', 'Voice Admin');
	await pick(page, 'Voice Admin');
	await pick(page, action);
	const node = await NodePanel.opened(page);
	await node.useCredential('Voice Admin sandbox');
	return node;
}
