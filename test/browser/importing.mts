import type { Page } from 'playwright-core';

import type { EditorFixture, Scenario } from '../support/browser/inEditor.mts';
import { boxOf, NodePanel } from '../support/browser/nodePanel.mts';
import { readmeStrip, screenshot, type Still } from '../support/browser/screenshots.mts';
import { importFile, SANDBOX_CREDENTIAL } from '../support/browser/workflow.mts';

const LOGIN = { user: 'staff', password: 'not-a-secret' };

const LIST = 'Nome;P.IVA;PEC\nAlfa Srl;30000130150;alfa@pec.example\nBeta Srl;30000260155;\n';

export function importing(scenario: Scenario): void {
	scenario(
		'of the blocks, by README of the examples, and one more column, creates the customers of a list with it',
		async (editor) => {
			const { page, rest, sandbox } = editor;
			await rest('POST', '/credentials', { name: 'Staff', type: 'httpBasicAuth', data: LOGIN });

			const stills: Still[] = [];
			await importFile(editor, 'read-a-list', async () => {
				const picture = await screenshot(page, 'importing-menu', { clip: MENU });
				stills.push({ caption: 'Import the file', picture });
			});
			await publish(page);

			await importFile(editor, 'create-customers-once');
			for (const node of ['Check the customers', 'Create the customers'])
				await NodePanel.inside(
					page,
					node,
					async (panel) => await panel.useCredential(SANDBOX_CREDENTIAL.voiceAdminApi.name),
				);
			await publish(page);

			await importFile(editor, 'customers-from-list');
			await NodePanel.inside(
				page,
				'Check the customers',
				async (panel) => await panel.useCredential(SANDBOX_CREDENTIAL.voiceAdminApi.name),
			);
			for (const called of ['Read a list', 'Create customers once'])
				await NodePanel.inside(page, called, async (panel) => {
					await panel.pickFromList('Workflow', called);
					if (stills.length === 1) stills.push({ caption: 'Select what it calls', picture: await still(page, 'link') });
				});
			await NodePanel.inside(page, 'Columns', async (panel) => await panel.addAssignment('pec', 'PEC'));
			let address = '';
			await NodePanel.inside(page, 'Upload customers', async (panel) => {
				await panel.useCredential('Staff');
				await panel.panel.getByText('Production URL', { exact: true }).click();
				address = (await panel.panel.getByText(/\/form\//).innerText()).trim();
			});
			stills.push({ caption: 'Publish', picture: await publish(page) });
			await readmeStrip(page.context(), 'importing', 'light', stills);

			await uploadAt(editor, address);
			expect(sandbox.getRecordsAndCounters().customers).toEqual([
				expect.objectContaining({ vatNumber: '30000130150', name: 'Alfa Srl', pec: 'alfa@pec.example' }),
				expect.objectContaining({ vatNumber: '30000260155', name: 'Beta Srl' }),
			]);
			expect(sandbox.getRecordsAndCounters().customers[1]).not.toHaveProperty('pec');
		},
	);
}

/** Of n8n's menu, where the newest has it: the documents show that one. */
const MENU = { x: 0, y: 0, width: 640, height: 400 };

/** Of the fields of the node that is open. */
const still = async (page: Page, name: string) =>
	await screenshot(page, `importing-${name}`, {
		clip: { ...(await boxOf(page.getByTestId('node-parameters'))), height: 400 },
	});

/** Publishes the workflow that is open, by n8n's buttons. @returns a picture of the question that n8n asks */
async function publish(page: Page): Promise<string> {
	await page.keyboard.press('Control+s');
	await page.getByTestId('workflow-open-publish-modal-button').click();
	const button = page.getByTestId('workflow-publish-button');
	const { x, y } = await boxOf(button);
	const picture = await screenshot(page, 'importing-publish', {
		clip: { x: x - 410, y: y - 340, width: 510, height: 400 },
	});
	await button.click();
	await button.waitFor({ state: 'hidden' });
	return picture;
}

/** Fills in the form in a page of its own, as a member of the staff does, and confirms what it says. */
async function uploadAt({ page }: EditorFixture, address: string): Promise<void> {
	const form = await page.context().newPage();
	await form.setExtraHTTPHeaders({
		authorization: `Basic ${Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString('base64')}`,
	});
	await form.goto(address);
	await form
		.locator('input[type=file]')
		.setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(LIST) });
	await form.locator('#submit-btn').click();
	await form.getByText('Create these customers?').waitFor();
	await form.locator('select').selectOption('Yes, I have checked them');
	await form.locator('#submit-btn').click();
	await form.getByText('All customers are created').waitFor();
	await form.close();
}
