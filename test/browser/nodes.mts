import type { Locator } from 'playwright-core';

import { chainNodes } from '../../scripts/n8n/workflow.mts';
import type { Scenario } from '../support/browser/inEditor.mts';
import { boxOf, labelsIn, NodePanel } from '../support/browser/nodePanel.mts';
import { readmeScreenshot, readmeStrip, screenshot, THEMES } from '../support/browser/screenshots.mts';
import {
	addNode,
	namesOffered,
	openNewWorkflow,
	openNodesPanel,
	openSaved,
	pick,
	SANDBOX_CREDENTIAL,
	search,
	voiceAdmin,
} from '../support/browser/workflow.mts';
import { everyOperation } from '../support/everyOperation';
import { getGateway, setPremium } from '../support/operations';
import { eventually } from '../support/until';

export function operations(scenario: Scenario): void {
	scenario('sets premium with all of its fields, after a dry run that shows the request', async (editor) => {
		const { page, sandbox } = editor;
		const node = await addNode(editor, 'Enable premium traffic on a VoIP DSS trunk');
		await node.shows('labels', ['Resource', 'Operation', 'Trunk ID', 'Country', 'Additional Fields', 'Options']);
		await node.fill('Trunk ID', '1001');
		await node.pickCountry('ita', ['Italy (IT)', 'Mauritania (MR)']);
		for (const field of ['Organization ID', 'Premium Available', 'Session Border Controller ID'])
			await node.add('Add Field', field);
		for (const option of ['Dry Run', 'Max Concurrency', 'Max Retries']) await node.add('Add Option', option);
		await node.fill('Organization ID', '10');
		await node.fill('Premium Available', 'yes');
		await node.fill('Session Border Controller ID', '1');
		await node.execute();
		// On, once it is added.
		const body = { idTrunk: 1001, iso: 'IT', organizationId: 10, sbcId: 1, premium_available: 'yes' };
		const request = { method: 'PUT', url: `${sandbox.url}/v1/voip/dss/trunk/country/setpremium`, body };
		await node.shows('output', [{ dryRun: true, request }]);
		await page
			.getByText("Items with Dry Run on weren't sent: the output shows their requests instead")
			.first()
			.waitFor();
		expect(sandbox.getRequests()).toEqual([]);

		await node.field('Dry Run').locator('.el-switch, [role="switch"]').first().click();
		await node.execute();
		await node.shows('output', [{ success: true, ...body }]);
		expect(
			sandbox
				.getRecordsAndCounters()
				.trunks.find(({ id }) => id === 1001)
				?.premiumCountries.map(({ iso }) => iso),
		).toEqual(['IT']);
	});

	scenario('adds a customer, with other fields as JSON or as names and values', async (editor) => {
		const { sandbox } = editor;
		const node = await addNode(editor, 'Create a customer');
		await node.shows('notices', [expect.stringContaining('the documented API has no way to change or delete it')]);
		await node.shows('labels', [
			'Resource',
			'Operation',
			'VAT Number',
			'Specify Other Fields',
			'Other Fields',
			'Options',
		]);
		await node.fill('VAT Number', 'IT12345678903');
		await node.button('Add Field').click();
		await node.fill('Name', 'city');
		await node.fill('Value', 'Milano');
		await node.execute();
		await node.shows('output', [expect.objectContaining({ vatNumber: 'IT12345678903', city: 'Milano' })]);

		await node.choose('Specify Other Fields', 'Using JSON');
		await node.field('Other Fields').locator('.cm-content').fill('{ "name": "Example S.p.A." }');
		await node.add('Add Option', 'Validate VAT Number');
		await node.execute();
		await node.shows('output', [expect.objectContaining({ vatNumber: 'IT12345678903', name: 'Example S.p.A.' })]);
		expect(sandbox.getRecordsAndCounters().customers).toHaveLength(2);
	});

	scenario('shows an error of the service in the words of its API, and with what it was about', async (editor) => {
		const { page } = editor;
		await openNewWorkflow(editor, [voiceAdmin('Set premium', setPremium(9999, 'IT'))]);
		const node = await NodePanel.of(page, 'Set premium');
		await node.execute();
		const description = "No trunk has the id 9999. The request wasn't carried out: trunk 9999, country IT.";
		await node.shows('error', { message: 'The requested DSS resource is not found', description });
		await readmeScreenshot(page, 'error', { clip: await node.fieldsAndOutput() });
	});

	scenario('shows what it does, and what will come out before it has run', async (editor) => {
		const { page } = editor;
		await openNewWorkflow(editor, [
			voiceAdmin('Gateway', getGateway('1')),
			{ name: 'Next', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
		]);
		await page.getByTestId('canvas-node').filter({ hasText: 'Get: VoIP DSS Gateway' }).waitFor();
		const next = await NodePanel.of(page, 'Next');
		await next.panel
			.getByTestId('run-data-schema-item')
			.filter({ hasText: 'terminationUri', visible: true })
			.first()
			.waitFor();
	});

	for (const { theme, suffix } of THEMES) {
		scenario(`gets a gateway in the steps of the quick start, in the ${theme} theme`, async (editor) => {
			const { page } = editor;
			await page.emulateMedia({ colorScheme: theme });
			await openNodesPanel(editor);
			await search(page, 'Voice Admin', 'Voice Admin');
			await pick(page, 'Voice Admin');
			await page.getByText('Get a VoIP DSS gateway', { exact: true }).hover();
			const still = async (caption: string, panel: string) => {
				const clip = { ...(await boxOf(page.getByTestId(panel))), height: 500 };
				return { caption, picture: await screenshot(page, `first-run${suffix}-${panel}`, { clip }) };
			};
			const stills = [await still('Choose what to do', 'node-creator')];
			await pick(page, 'Get a VoIP DSS gateway');
			const node = await NodePanel.opened(page);
			await node.useCredential('Voice Admin sandbox');
			await node.fill('Gateway ID', '1');
			await node.execute();
			await node.shows('output', [
				expect.objectContaining({ id: '1', terminationUri: 'milano-1.sip.sandbox.example' }),
			]);
			stills.push(
				await still('Fill in the fields', 'node-parameters'),
				await still('Execute the step', 'output-panel'),
			);
			await readmeStrip(page.context(), `first-run${suffix}`, theme, stills);
		});

		scenario(
			`asks for a trunk that was forgotten, and then sets premium with no more fields, in the ${theme} theme`,
			async (editor) => {
				const { page, sandbox } = editor;
				await page.emulateMedia({ colorScheme: theme });
				const node = await addNode(editor, 'Enable premium traffic on a VoIP DSS trunk');
				await node.shows('notices', [expect.stringContaining('Each item enables premium traffic, even with')]);
				await node.pickCountry('ital', ['Italy (IT)']);
				expect(await node.input('Trunk ID').inputValue()).toBe('');
				await node.execute();
				await node.shows('error', expect.objectContaining({ message: "'Trunk ID' is required. Enter a whole number" }));
				expect(sandbox.getRequests()).toEqual([]);

				await node.fill('Trunk ID', '1001');
				await node.execute();
				await node.shows('output', [{ success: true, idTrunk: 1001, iso: 'IT' }]);
				await readmeScreenshot(page, `set-premium${suffix}`, { clip: await node.fieldsAndOutput() });
			},
		);
	}
}

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
		await openSaved(editor, chainNodes({ id: '', name: 'Watch gateways', start, nodes: [] }));
		const node = await NodePanel.of(page, 'Voice Admin Trigger');
		await node.field('Gateway IDs').waitFor();
		await node.shows(
			'labels',
			expect.arrayContaining(['Gateway IDs', 'Organization ID', 'Trigger On', 'Watch', 'Options']),
		);
		const labels = await node.labels();
		for (const hidden of ['Fields', 'Emit on First Poll']) expect(labels).not.toContain(hidden);
		await node.choose('Watch', 'Selected Fields');
		await node.field('Fields').waitFor();
		await node.choose('Watch', 'Termination URI');
		await node.fill('Gateway IDs', '1, 12');
		await node.execute();
		const uri = { terminationUri: { from: null, to: 'milano-1.sip.sandbox.example' } };
		await node.shows('output', [
			expect.objectContaining({ gatewayId: '1', event: 'appeared', changed: uri }),
			expect.objectContaining({ gatewayId: '12', current: expect.objectContaining({ name: 'Palermo Elastic 2' }) }),
		]);
		await readmeScreenshot(page, 'trigger', { clip: await node.fieldsAndOutput() });
		expect(sandbox.getRequests().filter(({ method }) => method === 'GET')).toHaveLength(2);
	});
}

export function agentTool(scenario: Scenario): void {
	scenario('is offered the node as a tool, with the fields that a model may fill in', async (editor) => {
		const { page } = editor;
		await openNewWorkflow(editor, [
			{ name: 'AI Agent', type: '@n8n/n8n-nodes-langchain.agent', typeVersion: 2.2, parameters: {} },
		]);
		await page.locator('[data-handleid*="ai_tool"]').getByTestId('canvas-handle-plus').first().click();
		await search(page, 'voice', 'Voice Admin Tool');
		await pick(page, 'Voice Admin Tool');
		const tool = await NodePanel.opened(page);
		// The operation that changes nothing: nobody has chosen one yet.
		await tool.shows('labels', [
			'Resource',
			'Operation',
			'Tool Description',
			'Gateway ID',
			'Organization ID',
			'Options',
		]);

		await tool.choose('Resource', 'VoIP DSS Trunk');
		await tool.shows('labels', [
			'Resource',
			'Operation',
			'Tool Description',
			'Trunk ID',
			'Country',
			'Additional Fields',
			'Options',
		]);
		const described =
			/^Enables premium traffic .+ may be billed.+\nFields \(fill only those among your parameters\):\n- Trunk ID \(required\): .+/;
		expect(await tool.input('Tool Description').inputValue()).toMatch(described);
		await tool.shows('notices', [expect.stringContaining('A model decides when to call this tool')]);
		await tool.fill('Trunk ID', '1001');
		const country = tool.field('Country');
		await country.hover();
		await country.getByTestId('from-ai-override-button').first().click();
		await country
			.getByTestId('from-ai-override-field')
			.or(country.getByText('Defined automatically by the model'))
			.first()
			.waitFor();
		await readmeScreenshot(page, 'tool', { clip: await tool.fieldsAndOutput() });
	});
}

export function nodesPanel(scenario: Scenario): void {
	scenario(
		'offers the node for "customer", first of all for "trunk" and "voice", and each operation by what it does',
		async (editor) => {
			const { page } = editor;
			await openNodesPanel(editor);
			for (const word of ['trunk', 'voice']) {
				// n8n has nodes whose very name is "customer": one of them may be the first, until the next list is there.
				await search(page, 'customer', 'Voice Admin');
				await search(page, word, 'Voice Admin');
				await eventually(async () => expect((await namesOffered(page))[0]).toBe('Voice Admin'));
			}
			await pick(page, 'Voice Admin');
			const actions = everyOperation().flatMap(({ option }) => option.action ?? []);
			expect(actions).toEqual(
				expect.arrayContaining([
					'Create a customer',
					'Get a VoIP DSS gateway',
					'Enable premium traffic on a VoIP DSS trunk',
				]),
			);
			await eventually(async () => expect(await namesOffered(page)).toEqual(actions));
		},
	);
}

const TYPE = 'Voice Admin API';

export function credential(scenario: Scenario): void {
	scenario(
		'is made by hand, asks for what the login needs, and says whether the key works',
		async ({ page, url, sandbox }) => {
			// High enough for all fields.
			await page.setViewportSize({ width: 1500, height: 1500 });
			await page.goto(`${url}/home/credentials/create`);
			await page.getByTestId('new-credential-type-select').locator('input').click();
			await page.keyboard.type(TYPE);
			await page.getByTestId('new-credential-type-select-option').filter({ hasText: TYPE }).click();
			await page.getByTestId('new-credential-type-button').click();
			const labels = [
				'Environment',
				'Production Base URL',
				'Client ID',
				// n8n's own word for a field of this name, whatever its label.
				'Client Secret',
				'Token Header Name',
				'Token Prefix',
				'Ignore SSL Issues (Insecure)',
				'Allowed HTTP Request Domains',
			];
			const shown = page.getByTestId('credential-connection-parameter').locator('label .n8n-text');
			await eventually(async () => expect(await labelsIn(shown)).toEqual(labels));

			const dialog = page.getByTestId('editCredential-modal');
			/** n8n does not tie the label to its field: the field is in the nearest part that has both. */
			const fill = async (label: string, text: string) => {
				const withField = 'xpath=ancestor::*[.//*[starts-with(@data-test-id, "parameter-input-")]][1]';
				await dialog.locator('label').filter({ hasText: label }).locator(withField).locator('input').fill(text);
			};
			/** Saves, which also tests the credential, until it says so: n8n drops a click while it takes in what was typed. */
			const saveUntil = async (result: Locator) =>
				await eventually(async () => {
					await page.getByTestId('credential-save-button').click();
					await result.waitFor({ timeout: 5_000 });
				});

			await fill('Production Base URL', sandbox.url);
			await fill('Client ID', 'demo-client');
			await fill('Client Secret', 'not-the-key');
			await saveUntil(dialog.getByText(/Couldn.t connect with these settings/));
			await dialog.getByText('More details').click();
			await dialog
				.getByText("Check 'Environment', 'Client ID' and 'Client Secret' in the credential")
				.first()
				.waitFor();
			await fill('Client Secret', 'demo-key-not-a-secret');
			await saveUntil(dialog.getByText('Connection tested successfully'));
			const logins = sandbox.getRequests().map(({ path, status }) => `${path} ${status}`);
			expect(new Set(logins)).toEqual(new Set(['/auth/api-key/login 401', '/auth/api-key/login 200']));

			// For the picture: n8n gives the dialog a part of the screen's height, and scrolls in it.
			const modal = '[data-test-id="editCredential-modal"]';
			const all = `${modal}, ${modal} :has(form) { height: auto !important; overflow: visible !important; }`;
			await page.addStyleTag({ content: `${modal}, ${modal} * { max-height: none !important; } ${all}` });
			await readmeScreenshot(dialog, 'credential');
		},
	);
}
