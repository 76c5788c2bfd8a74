import type { Locator } from 'playwright-core';

import type { Scenario } from '../support/browser/inEditor.mts';
import { labelsIn } from '../support/browser/nodePanel.mts';
import { readmeScreenshot } from '../support/browser/screenshots.mts';
import { eventually } from '../support/until';

const TYPE = 'Voice Admin API';

export function credential(scenario: Scenario): void {
	scenario('is made by hand, asks for what the login needs, and says whether the key works', async ({ page, url, sandbox }) => {
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
		await dialog.getByText("Check 'Client ID' and 'Client Secret' (the API key) in the credential").first().waitFor();
		await fill('Client Secret', 'demo-key-not-a-secret');
		await saveUntil(dialog.getByText('Connection tested successfully'));
		const logins = sandbox.requests().map(({ path, status }) => `${path} ${status}`);
		expect(new Set(logins)).toEqual(new Set(['/auth/api-key/login 401', '/auth/api-key/login 200']));

		// For the picture: n8n gives the dialog a part of the screen's height, and scrolls in it.
		const modal = '[data-test-id="editCredential-modal"]';
		const all = `${modal}, ${modal} :has(form) { height: auto !important; overflow: visible !important; }`;
		await page.addStyleTag({ content: `${modal}, ${modal} * { max-height: none !important; } ${all}` });
		await readmeScreenshot(dialog, 'credential');
	});
}
