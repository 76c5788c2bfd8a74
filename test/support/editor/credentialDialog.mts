import type { Locator, Page } from 'playwright-core';

import type { Desk } from './inEditor.mts';

/** The dialog in which a credential is made. Fields are found by their labels. */
export class CredentialDialog {
	readonly dialog: Locator;

	private constructor(private readonly page: Page) {
		this.dialog = page.getByTestId('editCredential-modal');
	}

	/** Goes the way of a person who makes a new credential: looks for its type, and picks it. */
	static async create({ page, url }: Desk, type: string): Promise<CredentialDialog> {
		await page.goto(`${url}/home/credentials/create`);
		await page.getByTestId('new-credential-type-select').locator('input').click();
		await page.keyboard.type(type);
		await page.getByTestId('new-credential-type-select-option').filter({ hasText: type }).click();
		await page.getByTestId('new-credential-type-button').click();
		await page.getByTestId('credential-connection-parameter').first().waitFor();
		return new CredentialDialog(page);
	}

	/** For a picture: n8n gives the dialog a part of the screen's height, and scrolls in it. */
	async showWhole(): Promise<void> {
		const dialog = '[data-test-id="editCredential-modal"]';
		await this.page.addStyleTag({ content: `${dialog}, ${dialog} * { max-height: none !important; } ${dialog}, ${dialog} :has(form) { height: auto !important; overflow: visible !important; }` });
	}

	/** The labels of all fields, from top to bottom. */
	async labels(): Promise<string[]> {
		const labels = this.page.getByTestId('credential-connection-parameter').locator('label .n8n-text');
		return (await labels.allInnerTexts()).map((label) => label.replace(/\s*\*$/, '').trim()).filter(Boolean);
	}

	async fill(label: string, text: string): Promise<void> {
		await this.field(label).fill(text);
	}

	/** Saves, which also tests the credential, and waits for what the test says. */
	async save(): Promise<void> {
		await this.page.getByTestId('credential-save-button').click();
		await this.succeeded.or(this.failed).first().waitFor();
	}

	get succeeded(): Locator {
		return this.dialog.getByText('Connection tested successfully');
	}

	get failed(): Locator {
		return this.dialog.getByText(/Couldn.t connect with these settings/);
	}

	/** Why the test failed. */
	async reason(): Promise<string> {
		await this.dialog.getByText('More details').click();
		return await this.dialog.innerText();
	}

	/** n8n does not tie the label to its field: the field is in the nearest part that has both. */
	private field(label: string): Locator {
		return this.dialog
			.locator('label')
			.filter({ hasText: label })
			.locator('xpath=ancestor::*[.//*[starts-with(@data-test-id, "parameter-input-")]][1]')
			.locator('input');
	}
}
