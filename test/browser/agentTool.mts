import type { Scenario } from '../support/editor/inEditor.mts';
import { NodePanel } from '../support/editor/nodePanel.mts';
import { pick, search } from '../support/editor/nodesPanel.mts';
import { readmeScreenshot, screenshot } from '../support/editor/screenshots.mts';
import { openNewWorkflow } from '../support/editor/workflow.mts';

export function agentTool(scenario: Scenario): void {
	scenario('is offered the node as a tool, with the fields that a model may fill in', async (desk) => {
		const { page } = desk;
		await openNewWorkflow(desk, [{ name: 'AI Agent', type: '@n8n/n8n-nodes-langchain.agent', typeVersion: 2.2, parameters: {} }]);
		await page.locator('[data-handleid*="ai_tool"]').getByTestId('canvas-handle-plus').first().click();
		expect(await search(page, 'voice', 'Voice Admin Tool')).toContain('Voice Admin Tool');
		await screenshot(page, 'tool-offered');

		await pick(page, 'Voice Admin Tool');
		const tool = await NodePanel.opened(page);
		// The operation that changes nothing: nobody has chosen one yet.
		expect(await tool.labels()).toEqual(['Resource', 'Operation', 'Tool Description', 'Gateway ID', 'Organization ID', 'Options']);
		await screenshot(page, 'tool-get', { clip: await tool.fieldsAndOutput() });

		await tool.choose('Resource', 'VoIP DSS Trunk');
		expect(await tool.labels()).toEqual(['Resource', 'Operation', 'Tool Description', 'Trunk ID', 'Country', 'Additional Fields', 'Options']);
		expect(await tool.text('Tool Description')).toMatch(/^Enables premium traffic .+ costs money.+\nFields:\n- Trunk ID \(required\): .+/);
		expect(await tool.notices()).toEqual([expect.stringContaining('a model decides when to call this tool')]);
		for (const field of ['Trunk ID', 'Country']) await tool.leaveToModel(field);
		await readmeScreenshot(page, 'tool', { clip: await tool.fieldsAndOutput() });
		await page.getByTestId('ndv-close-button').click();
		await page.getByTestId('ndv').waitFor({ state: 'hidden' });
		await screenshot(page, 'tool-on-canvas');
	});
}
