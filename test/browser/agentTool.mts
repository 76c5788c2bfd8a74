import type { Scenario } from '../support/browser/inEditor.mts';
import { NodePanel } from '../support/browser/nodePanel.mts';
import { pick, search } from '../support/browser/nodesPanel.mts';
import { readmeScreenshot, screenshot } from '../support/browser/screenshots.mts';
import { openNewWorkflow } from '../support/browser/workflow.mts';

export function agentTool(scenario: Scenario): void {
	scenario('is offered the node as a tool, with the fields that a model may fill in', async (editor) => {
		const { page } = editor;
		await openNewWorkflow(editor, [{ name: 'AI Agent', type: '@n8n/n8n-nodes-langchain.agent', typeVersion: 2.2, parameters: {} }]);
		await page.locator('[data-handleid*="ai_tool"]').getByTestId('canvas-handle-plus').first().click();
		expect(await search(page, 'voice', 'Voice Admin Tool')).toContain('Voice Admin Tool');
		await screenshot(page, 'tool-offered');

		await pick(page, 'Voice Admin Tool');
		const tool = await NodePanel.opened(page);
		await tool.field('Gateway ID').waitFor();
		// The operation that changes nothing: nobody has chosen one yet.
		await tool.shows({ labels: ['Resource', 'Operation', 'Tool Description', 'Gateway ID', 'Organization ID', 'Options'] });
		await screenshot(page, 'tool-get', { clip: await tool.fieldsAndOutput() });

		await tool.choose('Resource', 'VoIP DSS Trunk');
		await tool.field('Trunk ID').waitFor();
		await tool.shows({ labels: ['Resource', 'Operation', 'Tool Description', 'Trunk ID', 'Country', 'Additional Fields', 'Options'] });
		const described = /^Enables premium traffic .+ may be billed.+\nFields:\n- Trunk ID \(required\): .+/;
		expect(await tool.input('Tool Description').inputValue()).toMatch(described);
		await tool.shows({ notices: [expect.stringContaining('a model decides when to call this tool')] });
		for (const label of ['Trunk ID', 'Country']) {
			const field = tool.field(label);
			await field.hover();
			await field.getByTestId('from-ai-override-button').first().click();
			await field.getByTestId('from-ai-override-field').or(field.getByText('Defined automatically by the model')).first().waitFor();
		}
		await readmeScreenshot(page, 'tool', { clip: await tool.fieldsAndOutput() });
		await page.getByTestId('ndv-close-button').click();
		await page.getByTestId('ndv').waitFor({ state: 'hidden' });
		await screenshot(page, 'tool-on-canvas');
	});
}
