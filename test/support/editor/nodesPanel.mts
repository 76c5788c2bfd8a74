import type { Page } from 'playwright-core';

/** Opens the list of all nodes for the open workflow. */
export async function openNodesPanel(page: Page): Promise<void> {
	await page.getByTestId('node-creator-plus-button').click();
	await page.getByTestId('node-creator-search-bar').waitFor();
}

/** Opens the list for what comes after the first node, so that the new node is connected with it. */
export async function openNodesPanelBehindStart(page: Page): Promise<void> {
	await page.getByTestId('canvas-handle-plus').first().click();
	await page.getByTestId('node-creator-search-bar').waitFor();
}

/** Types a word and gives the names that are offered. */
export async function search(page: Page, word: string, expected: string): Promise<string[]> {
	await page.getByTestId('node-creator-search-bar').fill(word);
	await offered(page, expected).first().waitFor();
	return await namesOffered(page);
}

export async function namesOffered(page: Page): Promise<string[]> {
	return await page.getByTestId('node-creator-item-name').allInnerTexts();
}

/** What the operations of a node do, in the words of its description, in the order of its resources. */
export async function actionsOf(page: Page, type: string): Promise<string[]> {
	return await page.evaluate(async (name) => {
		interface Option {
			value: string;
			action?: string;
		}
		interface Property {
			name: string;
			options: Option[];
			displayOptions?: { show?: { resource?: string[] } };
		}
		const types = (await (await fetch('/types/nodes.json')).json()) as Array<{ name: string; properties: Property[] }>;
		const properties = types.find((each) => each.name === name)?.properties ?? [];
		const resources = properties.find((property) => property.name === 'resource')?.options ?? [];
		const operations = (resource: string) => properties.filter((property) => property.name === 'operation' && property.displayOptions?.show?.resource?.includes(resource));
		return resources.flatMap(({ value }) => operations(value).flatMap(({ options }) => options.flatMap(({ action }) => action ?? [])));
	}, type);
}

/** Picks one of the names, and waits until the list that it was in is gone. */
export async function pick(page: Page, name: string): Promise<void> {
	await offered(page, name).first().click();
	await offered(page, name).first().waitFor({ state: 'detached' });
}

function offered(page: Page, name: string) {
	return page.getByTestId('node-creator-item-name').getByText(name, { exact: true });
}
