import type { Desk } from './inEditor.mts';
import { NodePanel } from './nodePanel.mts';
import { openNodesPanelBehindStart, pick, search } from './nodesPanel.mts';
import { openNewWorkflow } from './workflow.mts';

/** Adds the node as a person does: behind the start, found by a word, by what it is to do. */
export async function addNode(desk: Desk, action: string): Promise<NodePanel> {
	const { page } = desk;
	await openNewWorkflow(desk);
	await openNodesPanelBehindStart(page);
	await search(page, 'voice', 'Voice Admin');
	await pick(page, 'Voice Admin');
	await pick(page, action);
	const node = await NodePanel.opened(page);
	await node.useCredential('Voice Admin sandbox');
	return node;
}
