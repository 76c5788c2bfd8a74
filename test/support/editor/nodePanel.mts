import type { IDataObject } from 'n8n-workflow';
import type { Locator, Page } from 'playwright-core';

import type { Clip } from './screenshots.mts';

/** Below the last field, in pixels of the page. */
const MARGIN = 24;

/** The panel of a node: its fields in the middle, its output at the right. Fields are found by what a person reads. */
export class NodePanel {
	private readonly panel: Locator;

	private constructor(private readonly page: Page) {
		this.panel = page.getByTestId('ndv');
	}

	/** The panel that n8n opens by itself, as after a node was added. */
	static async opened(page: Page): Promise<NodePanel> {
		const panel = new NodePanel(page);
		await page.getByTestId('node-parameters').waitFor();
		return panel;
	}

	/** Opens the panel of a node on the canvas. */
	static async of(page: Page, name: string): Promise<NodePanel> {
		await page.getByTestId('canvas-node').filter({ hasText: name }).dblclick();
		return await NodePanel.opened(page);
	}

	/** The labels of all fields, from top to bottom. */
	async labels(): Promise<string[]> {
		const labels = this.page.getByTestId('node-parameters').locator('[data-test-id="input-label"] label .n8n-text >> visible=true');
		return (await labels.allInnerTexts()).map((label) => label.replace(/\s*\*$/, '').trim()).filter(Boolean);
	}

	/** What stands in a field. */
	async text(label: string): Promise<string> {
		return await this.field(label).locator('input, textarea').first().inputValue();
	}

	/** The notices between the fields. */
	async notices(): Promise<string[]> {
		return await this.page.getByTestId('node-parameters').locator('.notice-content >> visible=true').allInnerTexts();
	}

	/** Has a model define a field, in a node that is a tool. */
	async leaveToModel(label: string): Promise<void> {
		await this.field(label).hover();
		await this.field(label).getByTestId('from-ai-override-button').first().click();
		await this.field(label).getByTestId('from-ai-override-field').or(this.field(label).getByText('Defined automatically by the model')).first().waitFor();
	}

	/** The fields that the node before this one is to give, as n8n shows them before that has run. */
	async expectedInput(): Promise<string[]> {
		const fields = this.panel.getByTestId('run-data-schema-item').locator('visible=true');
		await fields.first().waitFor();
		return (await fields.allInnerTexts()).map((field) => field.trim());
	}

	async useCredential(name: string): Promise<void> {
		await this.panel.getByTestId('node-credentials-select').click();
		await this.option(name).click();
	}

	async fill(label: string, text: string): Promise<void> {
		await this.field(label).locator('input, textarea').first().fill(text);
	}

	/** A field that is a code editor. */
	async fillCode(label: string, text: string): Promise<void> {
		await this.field(label).locator('.cm-content').fill(text);
	}

	async choose(label: string, option: string): Promise<void> {
		await this.field(label).locator('input').first().click();
		await this.option(option).click();
	}

	async turnOn(label: string): Promise<void> {
		// In some versions of n8n the switch itself is hidden behind what is drawn for it.
		await this.field(label).locator('.el-switch, [role=switch]').locator('visible=true').first().click();
	}

	/** Adds one of the fields that are not shown at first, by what offers them: a list, and a button for the last one. */
	async add(offer: string, label: string): Promise<void> {
		const list = this.panel.getByPlaceholder(offer).locator('visible=true');
		const button = this.panel.getByRole('button', { name: offer }).locator('visible=true');
		await list.or(button).first().waitFor();
		if ((await list.count()) > 0) {
			await list.click();
			await this.option(label).click();
		} else {
			await button.click();
		}
		await this.field(label).waitFor();
	}

	/** Adds a row to a list of them. */
	async addRow(offer: string): Promise<void> {
		await this.panel.getByRole('button', { name: offer }).locator('visible=true').first().click();
	}

	/** Types into the list of countries, and picks one of those that it then offers. */
	async pickCountry(typed: string, name: string, beforePick?: () => Promise<void>): Promise<string[]> {
		await this.panel.getByPlaceholder('Choose a country...').click();
		const countries = this.page.getByTestId('rlc-item');
		// n8n 2.8 keeps the whole list for good when something is typed before it has come.
		await countries.locator('visible=true').first().waitFor();
		await this.page.getByTestId('rlc-search').locator('visible=true').fill(typed);
		await countries.filter({ hasText: name }).first().waitFor();
		// The whole list is shown until the one for what was typed has come.
		await countries.filter({ hasNotText: new RegExp(typed, 'i') }).first().waitFor({ state: 'detached' });
		const offered = await countries.allInnerTexts();
		await beforePick?.();
		await countries.filter({ hasText: name }).first().click();
		return offered;
	}

	/** Enters codes of countries as text, and leaves the field. */
	async enterCountryCodes(codes: string): Promise<void> {
		await this.panel.getByTestId('rlc-mode-selector').click();
		await this.option('By Code').click();
		await this.panel.getByPlaceholder('e.g. IT, FR').fill(codes);
		await this.panel.getByPlaceholder('e.g. IT, FR').blur();
	}

	/** Waits until n8n has marked a field, and says this of it. */
	async marked(problem: string): Promise<void> {
		await this.panel.getByTestId('parameter-issues').locator('visible=true').first().hover();
		await this.page.getByText(problem).locator('visible=true').first().waitFor();
	}

	/** Runs the node, and waits until it has ended, well or not. */
	async execute(): Promise<void> {
		await this.panel.getByTestId('node-execute-button').click();
		await this.panel.getByTestId('output-panel').locator('[data-test-id="node-run-status-success"], [data-test-id="node-run-status-danger"]').waitFor();
	}

	/** The items in the output, as n8n shows them in JSON. */
	async output(): Promise<IDataObject[]> {
		const output = this.panel.getByTestId('output-panel');
		await output.getByTestId('radio-button-json').click();
		const json = output.locator('.vjs-tree').first();
		await json.waitFor();
		// n8n indents with spaces that do not break, which are none in JSON.
		return JSON.parse((await json.innerText()).replaceAll('\u00a0', ' ')) as IDataObject[];
	}

	/** The error that the output shows instead of items; '' for a description that it does not have. */
	async error(): Promise<{ message: string; description: string }> {
		const output = this.panel.getByTestId('output-panel');
		return {
			message: await output.getByTestId('node-error-message').innerText(),
			description: (await output.getByTestId('node-error-description').allInnerTexts()).join(),
		};
	}

	/** The fields and the output, without the input at the left and the empty end of the panel. */
	async fieldsAndOutput(): Promise<Clip> {
		const output = await boxOf(this.panel.getByTestId('output-panel'));
		const x = (await boxOf(this.page.getByTestId('node-parameters'))).x;
		const height = Math.min(output.height, (await this.lastFieldEnd()) + MARGIN - output.y);
		return { x, y: output.y, width: output.x + output.width - x, height };
	}

	private async lastFieldEnd(): Promise<number> {
		return await this.page
			.getByTestId('node-parameters')
			.locator('.parameter-item, [data-test-id="input-label"], [data-test-id="collection-parameter-add"]')
			.evaluateAll((fields) => Math.max(...fields.map((field) => field.getBoundingClientRect().bottom)));
	}

	private field(label: string): Locator {
		return this.panel
			.getByTestId('input-label')
			.filter({ has: this.page.getByText(label, { exact: true }) })
			.last();
	}

	/** An option of the list that is open. */
	private option(name: string): Locator {
		return this.page.locator('.el-select-dropdown__item, [data-test-id="node-credentials-select-item"]').filter({ has: this.page.getByText(name, { exact: true }), visible: true }).first();
	}
}

async function boxOf(locator: Locator): Promise<Clip> {
	const box = await locator.boundingBox();
	if (!box) throw new Error('The panel is not shown');
	return box;
}
