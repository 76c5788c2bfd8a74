import type { Locator } from 'playwright-core';

import type { Scenario } from '../support/browser/inEditor.mts';
import { boxOf, NodePanel } from '../support/browser/nodePanel.mts';
import { addNode, openNodesPanel, pick, search } from '../support/browser/nodesPanel.mts';
import { type Clip, readmeScreenshot, readmeStrip, screenshot, THEMES } from '../support/browser/screenshots.mts';
import { openNewWorkflow, voiceAdmin } from '../support/browser/workflow.mts';
import { getGateway, setPremium } from '../support/operations';

export function operations(scenario: Scenario): void {
	scenario('sets premium for a country that is found by typing "ita"', async (editor) => {
		const { page, sandbox } = editor;
		const node = await addNode(editor, 'Set premium for a VoIP DSS trunk');
		await node.shows({ labels: ['Resource', 'Operation', 'Trunk ID', 'Country', 'Additional Fields', 'Options'] });
		await screenshot(page, 'set-premium-empty', { clip: await node.fieldsAndOutput() });

		await node.fill('Trunk ID', '1001');
		await node.pickCountry('ita', ['Italy (IT)', 'Mauritania (MR)'], async () => {
			await screenshot(page, 'country-list', { clip: await node.fieldsAndOutput() });
		});
		for (const field of ['Organization ID', 'Premium Available', 'Session Border Controller ID']) await node.add('Add Field', field);
		for (const option of ['Dry Run', 'Max Concurrency', 'Max Retries']) await node.add('Add Option', option);
		await screenshot(page, 'set-premium-all-fields', { clip: await node.fieldsAndOutput() });
		await node.fill('Organization ID', '10');
		await node.fill('Premium Available', 'yes');
		await node.fill('Session Border Controller ID', '1');
		await node.execute();
		// On, once it is added.
		const body = { idTrunk: 1001, iso: 'IT', organizationId: 10, sbcId: 1, premium_available: 'yes' };
		const request = { method: 'PUT', url: `${sandbox.url}/v1/voip/dss/trunk/country/setpremium`, body };
		await node.shows({ output: [{ dryRun: true, request }] });
		const hint = 'Dry Run is on: nothing was sent. The output shows the 1 request that would be sent';
		expect(await node.hints()).toEqual([expect.stringContaining(hint)]);
		await screenshot(page, 'dry-run', { clip: await node.fieldsAndOutput() });
		expect(sandbox.state().trunks.find(({ id }) => id === 1001)?.premiumCountries).toEqual([]);

		await node.toggle('Dry Run');
		await node.execute();
		await node.shows({ output: [{ success: true, idTrunk: 1001, iso: 'IT', organizationId: 10, sbcId: 1, premium_available: 'yes' }] });
		expect(sandbox.state().trunks.find(({ id }) => id === 1001)?.premiumCountries.map(({ iso }) => iso)).toEqual(['IT']);
	});

	scenario('adds a customer, with other fields as JSON or as names and values', async (editor) => {
		const { page, sandbox } = editor;
		const node = await addNode(editor, 'Create a customer');
		await node.shows({ notices: [expect.stringContaining('the documented API has no way to change or delete it')] });
		await node.shows({ labels: ['Resource', 'Operation', 'VAT Number', 'Specify Other Fields', 'Other Fields', 'Options'] });
		await screenshot(page, 'add-customer-empty', { clip: await node.fieldsAndOutput() });
		await node.fill('VAT Number', 'IT12345678903');
		await node.button('Add Field').click();
		await node.fill('Name', 'city');
		await node.fill('Value', 'Milano');
		await node.execute();
		await node.shows({ output: [expect.objectContaining({ vatNumber: 'IT12345678903', city: 'Milano' })] });
		await screenshot(page, 'names-and-values', { clip: await node.fieldsAndOutput() });

		await node.choose('Specify Other Fields', 'Using JSON');
		await node.field('Other Fields').locator('.cm-content').fill('{ "name": "Example S.p.A." }');
		await node.add('Add Option', 'Validate VAT Number');
		await node.execute();
		await node.shows({ output: [expect.objectContaining({ vatNumber: 'IT12345678903', name: 'Example S.p.A.' })] });
		expect(sandbox.state().customers).toHaveLength(2);
		await screenshot(page, 'add-customer', { clip: await node.fieldsAndOutput() });
	});

	scenario('marks a country code that is not one while it is typed', async (editor) => {
		const { page, sandbox } = editor;
		const node = await addNode(editor, 'Set premium for a VoIP DSS trunk');
		await node.fill('Trunk ID', '1001');
		await node.panel.getByTestId('rlc-mode-selector').click();
		await node.option('By Code').click();
		await node.panel.getByPlaceholder('e.g. IT, FR').fill('IT, Italy');
		await node.panel.getByPlaceholder('e.g. IT, FR').blur();
		await node.panel.getByTestId('parameter-issues').locator('visible=true').first().hover();
		await page.getByText('Enter codes of two or three letters or three digits, e.g. IT, FR').locator('visible=true').first().waitFor();
		await screenshot(page, 'country-code-marked', { clip: await node.fieldsAndOutput() });
		expect(sandbox.requests()).toEqual([]);
	});

	scenario('shows an error of the service in the words of its API, and with what it was about', async (editor) => {
		const { page } = editor;
		await openNewWorkflow(editor, [voiceAdmin('Set premium', setPremium(9999, 'IT'))]);
		const node = await NodePanel.of(page, 'Set premium');
		await node.execute();
		const description = 'No trunk has the id 9999. Request: trunk 9999, country IT.';
		await node.shows({ error: { message: 'The requested DSS resource is not found', description } });
		await readmeScreenshot(page, 'error', { clip: await node.fieldsAndOutput() });
	});

	scenario('shows what will come out before it has run', async (editor) => {
		const { page } = editor;
		await openNewWorkflow(editor, [
			voiceAdmin('Gateway', getGateway('1')),
			{ name: 'Next', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
		]);
		await page.getByTestId('canvas-node').filter({ hasText: 'Get: VoIP DSS Gateway' }).waitFor();
		await screenshot(page, 'subtitle');
		const next = await NodePanel.of(page, 'Next');
		await next.panel.getByTestId('run-data-schema-item').filter({ hasText: 'terminationUri', visible: true }).first().waitFor();
		await screenshot(page, 'schema-preview');
	});

	for (const { theme, suffix } of THEMES) {
		scenario(`gets a gateway in the steps of the quick start, in the ${theme} theme`, async (editor) => {
			const { page } = editor;
			await page.emulateMedia({ colorScheme: theme });
			await openNewWorkflow(editor);
			await openNodesPanel(page);
			await search(page, 'Voice Admin', 'Voice Admin');
			await pick(page, 'Voice Admin');
			await page.getByText('Get a VoIP DSS gateway', { exact: true }).hover();
			const action = await screenshot(page, `first-run${suffix}-action`, { clip: await topOf(page.getByTestId('node-creator')) });

			await pick(page, 'Get a VoIP DSS gateway');
			const node = await NodePanel.opened(page);
			await node.useCredential('Voice Admin sandbox');
			await node.fill('Gateway ID', '1');
			await node.execute();
			await node.shows({ output: [expect.objectContaining({ id: '1', terminationUri: 'milano-1.sip.sandbox.example' })] });
			const fields = await screenshot(page, `first-run${suffix}-fields`, { clip: await topOf(page.getByTestId('node-parameters')) });
			const output = await screenshot(page, `first-run${suffix}-output`, { clip: await topOf(page.getByTestId('output-panel')) });
			await readmeStrip(page.context(), `first-run${suffix}`, theme, [
				{ caption: 'Choose what to do', picture: action },
				{ caption: 'Fill in the fields', picture: fields },
				{ caption: 'Execute the step', picture: output },
			]);
		});
	}

	for (const { theme, suffix } of THEMES) {
		scenario(`asks for a trunk that was forgotten, and then sets premium with no more fields, in the ${theme} theme`, async (editor) => {
			const { page, sandbox } = editor;
			await page.emulateMedia({ colorScheme: theme });
			const node = await addNode(editor, 'Set premium for a VoIP DSS trunk');
			await node.shows({ notices: [expect.stringContaining('Premium traffic may be billed for every trunk and country you enable')] });
			await node.pickCountry('ital', ['Italy (IT)']);
			expect(await node.input('Trunk ID').inputValue()).toBe('');
			await node.execute();
			await node.shows({ error: expect.objectContaining({ message: "'Trunk ID' is required. Enter a whole number, e.g. 1001" }) });
			await screenshot(page, `trunk-forgotten${suffix}`, { clip: await node.fieldsAndOutput() });
			expect(sandbox.requests()).toEqual([]);

			await node.fill('Trunk ID', '1001');
			await node.execute();
			await node.shows({ output: [{ success: true, idTrunk: 1001, iso: 'IT' }] });
			await readmeScreenshot(page, `set-premium${suffix}`, { clip: await node.fieldsAndOutput() });
		});
	}
}

/** As much of a panel as says what it is. */
async function topOf(panel: Locator): Promise<Clip> {
	return { ...(await boxOf(panel)), height: 500 };
}
