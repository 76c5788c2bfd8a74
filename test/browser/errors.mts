import type { Scenario } from '../support/browser/inEditor.mts';
import { NodePanel } from '../support/browser/nodePanel.mts';
import { readmeScreenshot } from '../support/browser/screenshots.mts';
import { openNewWorkflow, voiceAdmin } from '../support/browser/workflow.mts';
import { setPremium } from '../support/operations';

export function errors(scenario: Scenario): void {
	scenario('of the service is shown in the words of its API, and with what it was about', async (editor) => {
		const { page } = editor;
		await openNewWorkflow(editor, [voiceAdmin('Set premium', setPremium(9999, 'IT'))]);
		const node = await NodePanel.of(page, 'Set premium');
		await node.execute();
		await node.shows({
			error: {
				message: 'The requested DSS resource is not found',
				description: 'No trunk has the id 9999. Request: trunk 9999, country IT.',
			},
		});
		await readmeScreenshot(page, 'error', { clip: await node.fieldsAndOutput() });
	});
}
