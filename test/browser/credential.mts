import { CredentialDialog } from '../support/editor/credentialDialog.mts';
import type { Scenario } from '../support/editor/inEditor.mts';
import { readmeScreenshot, screenshot } from '../support/editor/screenshots.mts';

/** High enough for all fields. */
const HIGH_SCREEN = { width: 1500, height: 1500 };

export function credential(scenario: Scenario): void {
	scenario('is made by hand, asks for what the login needs, and says that the key works', async (desk) => {
		const { page, sandbox } = desk;
		await page.setViewportSize(HIGH_SCREEN);
		const dialog = await CredentialDialog.create(desk, 'Voice Admin API');
		expect(await dialog.labels()).toEqual([
			'Environment',
			'Production Base URL',
			'Client ID',
			// n8n's own word for a field of this name, whatever its label.
			'Client Secret',
			'Token Header Name',
			'Token Prefix',
			'Ignore SSL Issues (Insecure)',
			'Allowed HTTP Request Domains',
		]);
		await dialog.showWhole();
		await screenshot(dialog.dialog, 'credential-empty');

		await dialog.fill('Production Base URL', sandbox.url);
		await dialog.fill('Client ID', 'demo-client');
		await dialog.fill('Client Secret', 'demo-key-not-a-secret');
		await dialog.save();

		expect(await dialog.succeeded.count()).toBe(1);
		expect(sandbox.requests().map(({ path, status }) => `${path} ${status}`)).toEqual(['/auth/api-key/login 200']);
		await readmeScreenshot(dialog.dialog, 'credential');
	});

	scenario('with a wrong key says so in words, and works once the key is right', async (desk) => {
		const { page, sandbox } = desk;
		const dialog = await CredentialDialog.create(desk, 'Voice Admin API');
		await dialog.fill('Production Base URL', sandbox.url);
		await dialog.fill('Client ID', 'demo-client');
		await dialog.fill('Client Secret', 'not-the-key');
		await dialog.save();

		expect(await dialog.failed.count()).toBe(1);
		expect(await dialog.reason()).toContain("Check 'Client ID' and 'Client Secret' (the API key) in the credential");
		await screenshot(dialog.dialog, 'credential-wrong-key');

		await dialog.fill('Client Secret', 'demo-key-not-a-secret');
		await page.getByTestId('credential-save-button').click();
		await dialog.succeeded.waitFor();
	});
}
