import { chain } from '../../scripts/n8n/workflow.mts';
import type { Scenario } from '../support/browser/inEditor.mts';
import { NodePanel } from '../support/browser/nodePanel.mts';
import { readmeScreenshot } from '../support/browser/screenshots.mts';
import { openSaved, SANDBOX_CREDENTIAL } from '../support/browser/workflow.mts';

export function trigger(scenario: Scenario): void {
	scenario('gives a test event for each of its gateways', async (editor) => {
		const { page, sandbox } = editor;
		const start = {
			name: 'Voice Admin Trigger',
			type: 'n8n-nodes-voice-admin.voiceAdminTrigger',
			typeVersion: 1,
			parameters: { pollTimes: { item: [{ mode: 'everyX', value: 15, unit: 'minutes' }] } },
			credentials: SANDBOX_CREDENTIAL,
		};
		await openSaved(editor, chain({ id: '', name: 'Watch gateways', start, nodes: [] }));
		const node = await NodePanel.of(page, 'Voice Admin Trigger');
		await node.field('Gateway IDs').waitFor();
		await node.shows({ labels: expect.arrayContaining(['Gateway IDs', 'Organization ID', 'Trigger On', 'Watch', 'Options']) });
		const labels = await node.labels();
		for (const hidden of ['Fields', 'Emit on First Poll']) expect(labels).not.toContain(hidden);
		await node.choose('Watch', 'Selected Fields');
		await node.field('Fields').waitFor();
		await node.choose('Watch', 'Termination URI');
		await node.fill('Gateway IDs', '1, 12');
		await node.execute();
		await node.shows({
			output: [
				expect.objectContaining({
					gatewayId: '1',
					event: 'appeared',
					changed: { terminationUri: { from: null, to: 'milano-1.sip.sandbox.example' } },
				}),
				expect.objectContaining({ gatewayId: '12', current: expect.objectContaining({ name: 'Palermo Elastic 2' }) }),
			],
		});
		await readmeScreenshot(page, 'trigger', { clip: await node.fieldsAndOutput() });
		expect(sandbox.requests().filter(({ method }) => method === 'GET')).toHaveLength(2);
	});
}
