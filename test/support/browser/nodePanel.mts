import type { IDataObject } from 'n8n-workflow';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../until';
import type { Clip } from './screenshots.mts';

/** Below the last field, in pixels of the page. */
const MARGIN = 24;

/** The panel of a node: its fields in the middle, its output at the right. Fields are found by what a person reads. */
export class NodePanel {
	readonly panel: Locator;

	private readonly fields: Locator;

	private readonly outputPanel: Locator;

	private constructor(private readonly page: Page) {
		this.panel = page.getByTestId('ndv');
		this.fields = page.getByTestId('node-parameters');
		this.outputPanel = this.panel.getByTestId('output-panel');
	}

	/** The panel that n8n opens by itself, as after a node was added. */
	static async opened(page: Page): Promise<NodePanel> {
		const panel = new NodePanel(page);
		await panel.fields.waitFor();
		return panel;
	}

	/** Opens the panel of a node on the canvas. */
	static async of(page: Page, name: string): Promise<NodePanel> {
		await nodeNamed(page, name).dblclick();
		return await NodePanel.opened(page);
	}

	/** Works in the panel of the node of a name, and goes back to the canvas. */
	static async inside(page: Page, name: string, work: (opened: NodePanel) => Promise<void>): Promise<void> {
		const opened = await NodePanel.of(page, name);
		await work(opened);
		await opened.close();
	}

	/** Asserts what a person reads in the panel, as soon as it is there: n8n draws it in steps. The value may be a matcher of jest. */
	async shows(part: 'labels' | 'notices' | 'output' | 'error', value: unknown): Promise<void> {
		await eventually(async () => expect(await this[part]()).toEqual(value));
	}

	/** The labels of all fields, from top to bottom. */
	async labels(): Promise<string[]> {
		return await labelsIn(this.fields.getByTestId('input-label').locator('label .n8n-text >> visible=true'));
	}

	/** The notices between the fields. */
	async notices(): Promise<string[]> {
		return await this.fields.locator('.notice-content >> visible=true').allInnerTexts();
	}

	async useCredential(name: string): Promise<void> {
		await this.panel.getByTestId('node-credentials-select').click();
		await this.option(name).click();
	}

	/** Where text is typed into a field. */
	input(label: string): Locator {
		return this.field(label).locator('input, textarea').first();
	}

	async fill(label: string, text: string): Promise<void> {
		await this.input(label).fill(text);
	}

	async choose(label: string, option: string): Promise<void> {
		await this.input(label).click();
		await this.option(option).click();
	}

	/** Adds one of the fields that are not shown at first, by what offers them: a list, and a button for the last one. */
	async add(offer: string, label: string): Promise<void> {
		const list = this.panel.getByPlaceholder(offer).locator('visible=true');
		const button = this.button(offer);
		await list.or(button).first().waitFor();
		if ((await list.count()) > 0) {
			await list.click();
			await this.option(label).click();
		} else {
			await button.click();
		}
		await this.field(label).waitFor();
	}

	/** A button of the panel, by what it says. */
	button(name: string): Locator {
		return this.panel.getByRole('button', { name }).locator('visible=true').first();
	}

	/** Types into the list of countries, and picks the first of those that it then offers. */
	async pickCountry(typed: string, offered: string[]): Promise<void> {
		await this.panel.getByPlaceholder('Choose a country...').click();
		const countries = this.page.getByTestId('rlc-item');
		// n8n 2.8 keeps the whole list for good when something is typed before it has come.
		await countries.locator('visible=true').first().waitFor();
		await this.page.getByTestId('rlc-search').locator('visible=true').fill(typed);
		await eventually(async () => expect(await countries.allInnerTexts()).toEqual(offered));
		await countries.first().click();
	}

	/** Picks one of what n8n has by the names in a list. */
	async pickFromList(label: string, name: string): Promise<void> {
		await this.field(label).getByTestId('rlc-input').click();
		await this.page.getByTestId('rlc-item').filter({ hasText: name, visible: true }).first().click();
	}

	/** Adds a field to an Edit Fields node. */
	async addAssignment(name: string, value: string): Promise<void> {
		await this.panel.getByText('Add Field', { exact: true }).click();
		const added = this.panel.getByTestId('assignment').last();
		await added.getByTestId('assignment-name').locator('input').fill(name);
		await added.getByTestId('assignment-value').locator('input').fill(value);
	}

	/** Goes back to the canvas. */
	async close(): Promise<void> {
		await this.page.getByTestId('ndv-close-button').click();
		await this.panel.waitFor({ state: 'hidden' });
	}

	/** Runs the node, and waits until it has ended, well or not. */
	async execute(): Promise<void> {
		await this.panel.getByTestId('node-execute-button').click();
		await this.outputPanel
			.locator('[data-test-id="node-run-status-success"], [data-test-id="node-run-status-danger"]')
			.waitFor();
	}

	/** The items in the output, as n8n shows them in JSON. */
	async output(): Promise<IDataObject[]> {
		await this.outputPanel.getByTestId('radio-button-json').click();
		// n8n indents with spaces that do not break, which are none in JSON.
		return JSON.parse(
			(await this.outputPanel.locator('.vjs-tree').first().innerText()).replaceAll('\u00a0', ' '),
		) as IDataObject[];
	}

	/** The error that the output shows instead of items; '' for a description that it does not have. */
	async error(): Promise<{ message: string; description: string }> {
		const description = (await this.outputPanel.getByTestId('node-error-description').allInnerTexts()).join();
		return { message: await this.outputPanel.getByTestId('node-error-message').innerText(), description };
	}

	/** The fields and the output, without the input at the left and the empty end of the panel. */
	async fieldsAndOutput(): Promise<Clip> {
		const [output, { x }] = [await boxOf(this.outputPanel), await boxOf(this.fields)];
		const all = this.fields.locator(
			'.parameter-item, [data-test-id="input-label"], [data-test-id="collection-parameter-add"]',
		);
		const end = await all.evaluateAll((each) => Math.max(...each.map((field) => field.getBoundingClientRect().bottom)));
		return {
			x,
			y: output.y,
			width: output.x + output.width - x,
			height: Math.min(output.height, end + MARGIN - output.y),
		};
	}

	/** A field with its label and what n8n shows beside it. */
	field(label: string): Locator {
		return this.panel
			.getByTestId('input-label')
			.filter({ has: this.page.getByText(label, { exact: true }) })
			.last();
	}

	/** An option of the list that is open. */
	option(name: string): Locator {
		const options = this.page.locator('.el-select-dropdown__item, [data-test-id="node-credentials-select-item"]');
		return options.filter({ has: this.page.getByText(name, { exact: true }), visible: true }).first();
	}
}

/** A node on the canvas. */
export const nodeNamed = (page: Page, name: string): Locator =>
	page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);

/** What stands in labels, without the star of a field that is required. */
export async function labelsIn(labels: Locator): Promise<string[]> {
	return (await labels.allInnerTexts()).map((label) => label.replace(/\s*\*$/, '').trim()).filter(Boolean);
}

/** Where a part of the page is. */
export async function boxOf(locator: Locator): Promise<Clip> {
	const box = await locator.boundingBox();
	if (!box) throw new Error('It is not shown');
	return box;
}
