import type { Scenario } from '../support/browser/inEditor.mts';
import { namesOffered, openNodesPanel, pick, search } from '../support/browser/nodesPanel.mts';
import { screenshot } from '../support/browser/screenshots.mts';
import { openNewWorkflow } from '../support/browser/workflow.mts';
import { everyOperation } from '../support/everyOperation';
import { eventually } from '../support/until';

export function nodesPanel(scenario: Scenario): void {
	// A word and what may come before the node: n8n has nodes whose very name is "customer".
	for (const { word, isFirst } of [
		{ word: 'voice', isFirst: true },
		{ word: 'trunk', isFirst: true },
		{ word: 'customer', isFirst: false },
	]) {
		scenario(`offers the node for "${word}"`, async (editor) => {
			await openNewWorkflow(editor);
			await openNodesPanel(editor.page);
			const names = await search(editor.page, word, 'Voice Admin');
			expect(names).toContain('Voice Admin');
			if (isFirst) expect(names[0]).toBe('Voice Admin');
			await screenshot(editor.page, `nodes-panel-${word}`);
		});
	}

	scenario('offers each operation by what it does', async (editor) => {
		const { page } = editor;
		await openNewWorkflow(editor);
		await openNodesPanel(page);
		await search(page, 'voice', 'Voice Admin');
		await pick(page, 'Voice Admin');
		const actions = everyOperation().flatMap(({ option }) => option.action ?? []);
		expect(actions).toEqual(expect.arrayContaining(['Create a customer', 'Get a VoIP DSS gateway', 'Set premium for a VoIP DSS trunk']));
		await page.getByText(actions[0]!, { exact: true }).waitFor();
		await eventually(async () => expect(await namesOffered(page)).toEqual(actions));
		await screenshot(page, 'nodes-panel-actions');
	});
}
