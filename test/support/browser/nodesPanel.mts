import type { Page } from 'playwright-core';

import type { EditorFixture } from './inEditor.mts';
import { NodePanel } from './nodePanel.mts';
import { openNewWorkflow } from './workflow.mts';

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
