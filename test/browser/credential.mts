import type { Locator } from 'playwright-core';

import type { EditorFixture, Scenario } from '../support/browser/inEditor.mts';
import { labelsIn } from '../support/browser/nodePanel.mts';
import { readmeScreenshot, screenshot } from '../support/browser/screenshots.mts';
import { eventually } from '../support/until';

/** High enough for all fields. */
const HIGH_SCREEN = { width: 1500, height: 1500 };

export function credential(scenario: Scenario): void {
	scenario('is made by hand, asks for what the login needs, and says whether the key works', async (editor) => {
		const { page, sandbox } = editor;
		await page.setViewportSize(HIGH_SCREEN);
		const dialog = await newCredential(editor, 'Voice Admin API');
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
		await eventually(async () => expect(await labelsIn(dialog.labels)).toEqual(labels));
		// For the picture: n8n gives the dialog a part of the screen's height, and scrolls in it.
		const modal = '[data-test-id="editCredential-modal"]';
		const all = `${modal}, ${modal} :has(form) { height: auto !important; overflow: visible !important; }`;
		await page.addStyleTag({ content: `${modal}, ${modal} * { max-height: none !important; } ${all}` });
		await screenshot(dialog.modal, 'credential-empty');

		await dialog.field('Production Base URL').fill(sandbox.url);
		await dialog.field('Client ID').fill('demo-client');
		await dialog.field('Client Secret').fill('not-the-key');
		await dialog.save(dialog.failed);
		await dialog.modal.getByText('More details').click();
		await dialog.modal.getByText("Check 'Client ID' and 'Client Secret' (the API key) in the credential").first().waitFor();
		await screenshot(dialog.modal, 'credential-wrong-key');

		await dialog.field('Client Secret').fill('demo-key-not-a-secret');
		await dialog.save(dialog.succeeded);
		expect(new Set(sandbox.requests().map(({ path, status }) => `${path} ${status}`))).toEqual(
			new Set(['/auth/api-key/login 401', '/auth/api-key/login 200']),
		);
		await readmeScreenshot(dialog.modal, 'credential');
	});
}

/** Goes the way of a person who makes a new credential: looks for its type, and picks it. */
async function newCredential({ page, url }: EditorFixture, type: string) {
	await page.goto(`${url}/home/credentials/create`);
	await page.getByTestId('new-credential-type-select').locator('input').click();
	await page.keyboard.type(type);
	await page.getByTestId('new-credential-type-select-option').filter({ hasText: type }).click();
	await page.getByTestId('new-credential-type-button').click();
	const fields = page.getByTestId('credential-connection-parameter');
	await fields.first().waitFor();

	const modal = page.getByTestId('editCredential-modal');
	const succeeded = modal.getByText('Connection tested successfully');
	const failed = modal.getByText(/Couldn.t connect with these settings/);
	return {
		modal,
		succeeded,
		failed,
		labels: fields.locator('label .n8n-text'),
		/** n8n does not tie the label to its field: the field is in the nearest part that has both. */
		field: (label: string) => {
			const withField = 'xpath=ancestor::*[.//*[starts-with(@data-test-id, "parameter-input-")]][1]';
			return modal.locator('label').filter({ hasText: label }).locator(withField).locator('input');
		},
		/** Saves, which also tests the credential, until it says so: n8n drops a click while it takes in what was typed. */
		async save(result: Locator) {
			await eventually(async () => {
				await page.getByTestId('credential-save-button').click();
				await result.waitFor({ timeout: 5_000 });
			});
		},
	};
}
