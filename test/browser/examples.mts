import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { INode } from 'n8n-workflow';
import type { Locator, Page } from 'playwright-core';

import { ROOT } from '../../scripts/bootstrap/paths.mjs';
import type { EditorFixture, Scenario } from '../support/browser/inEditor.mts';
import { NodePanel } from '../support/browser/nodePanel.mts';
import { readmeScreenshot, screenshot, THEMES } from '../support/browser/screenshots.mts';
import { eventually } from '../support/until';
import { goTo, nodesOnCanvas, openSaved } from '../support/browser/workflow.mts';

const FOLDER = path.join(ROOT, 'examples');

const TOUR = 'tour.json';
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json') && file !== TOUR);

const TOUCHED = 'Touched';

/** Large enough for all of a workflow in a size in which its notes can be read. */
const CANVAS = { width: 2600, height: 1300 };

/** Of the pictures in the documents. */
const PICTURE = { width: 1600, height: 900 };

export function examples(scenario: Scenario): void {
	for (const { theme, suffix } of THEMES) {
		scenario(`${TOUR} runs from end to end in the ${theme} theme, node by node`, async (editor) => {
			const { page } = editor;
			const tour = JSON.parse(readFileSync(path.join(FOLDER, TOUR), 'utf8')) as { id: string; nodes: Array<{ type: string }> };
			await page.emulateMedia({ colorScheme: theme });
			await openSaved(editor, tour);
			await page.getByTestId('execute-workflow-button').click();
			const nodes = tour.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
			await page.getByTestId('canvas-node-status-success').nth(nodes.length - 1).waitFor();
			await page.getByTestId('zoom-to-fit').click();
			await readmeScreenshot(page, `tour${suffix}`, { clip: await nodesOnCanvas(page), scale: 'css' });
		});
	}

	for (const file of files) {
		const { nodes } = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as { nodes: INode[] };
		const writing = nodes.filter(({ type, parameters }) => type.endsWith('.dataTable') && parameters.columns && parameters.resource === 'row');
		if (writing.length > 0) {
			scenario(`${file} is the same after its data table nodes were opened, refreshed as n8n offers it, and saved`, async (editor) => {
				const { page } = editor;
				await openAndTouch(editor, file, writing);
				await page.keyboard.press('Control+s');
				const id = page.url().split('/workflow/')[1]!.replace(/[?/].*/, '');
				await eventually(async () => {
					const saved = await editor.rest<{ nodes: INode[] }>('GET', `/workflows/${id}`);
					for (const { name, parameters } of writing) {
						const now = saved.nodes.find((node) => node.name === name)!;
						expect(now).toMatchObject({ name, notes: TOUCHED, parameters: { dataTableId: parameters.dataTableId } });
						expect(now.parameters).toMatchObject({ columns: { mappingMode: 'autoMapInputData' } });
						expect(valuesOf(now)).toEqual(valuesOf({ parameters }));
					}
				});
			});
		}

		scenario(`${file} can be imported from its file, is laid out for reading, and takes a credential`, async (editor) => {
			const { page } = editor;
			await page.setViewportSize(PICTURE);
			await goTo(editor, '/workflow/new');
			await page.getByTestId('workflow-menu').click();
			await page.getByTestId('workflow-import-input').setInputFiles(path.join(FOLDER, file));
			await page.getByTestId('sticky').first().waitFor();
			await page.keyboard.press('Escape');
			await page.getByTestId('zoom-to-fit').click();
			await readmeScreenshot(page, `example-${path.basename(file, '.json')}`, { clip: await nodesOnCanvas(page), scale: 'css' });

			await page.setViewportSize(CANVAS);
			await page.getByTestId('zoom-to-fit').click();
			expect(await problemsOfLayout(page)).toEqual([]);
			await pickCredential(page, nodes.filter(({ type }) => type.startsWith('n8n-nodes-voice-admin.')).length);
			// There is no credential of a model in this n8n.
			const model = page.locator('[data-test-id="canvas-node"][data-node-type*="lmChat"]');
			for (const asking of await model.all()) await asking.getByTestId('node-issues').waitFor();
		});
	}
}

/** What rows are looked for by, without what the editor leaves out because it is n8n's default. */
function valuesOf({ parameters }: Pick<INode, 'parameters'>): unknown[] {
	const { conditions = [] } = (parameters.filters ?? {}) as { conditions?: Array<{ keyValue: unknown }> };
	return conditions.map(({ keyValue }) => keyValue);
}

/** Opens a workflow and each of some nodes, does what n8n offers there about its columns, and writes a note, so that n8n saves it. */
async function openAndTouch(editor: EditorFixture, file: string, nodes: INode[]): Promise<void> {
	const { page } = editor;
	await openSaved(editor, JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as { id: string; nodes: INode[] });
	await page.getByTestId('zoom-to-fit').click();
	for (const { name } of nodes) {
		await page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		const opened = await NodePanel.opened(page);
		for (const refresh of await opened.panel.getByText(/refresh/i).all()) if (await refresh.isVisible()) await refresh.click();
		await screenshot(page, `touched-${name.toLowerCase().replaceAll(' ', '-')}`);
		await opened.panel.getByText('Settings', { exact: true }).first().click();
		await opened.panel.locator('textarea').last().fill(TOUCHED);
		await opened.close();
	}
}

/**
 * Gives the sandbox's credential to each node of this package, and waits until the editor is content with it. Newer
 * versions of n8n take, without asking, one of the type that is there.
 */
async function pickCredential(page: Page, count: number): Promise<void> {
	const ours = await page.locator('[data-test-id="canvas-node"][data-node-type^="n8n-nodes-voice-admin."]').all();
	expect(ours).toHaveLength(count);
	for (const node of ours) {
		await node.dblclick();
		const panel = await NodePanel.opened(page);
		await panel.useCredential('Voice Admin sandbox');
		await panel.close();
		await node.getByTestId('node-issues').waitFor({ state: 'detached' });
	}
}

/** What on the canvas is in the way of something else, and what does not fit into its note. A node may lie on a note below its text. */
async function problemsOfLayout(page: Page): Promise<string[]> {
	// The texts of a note are in an element whose class differs between versions of n8n.
	const texts = page.getByTestId('sticky').locator('div:has(> :is(h1, h2, h3, p)) > *');
	await texts.first().waitFor();
	const [inNodes, inNotes, inTexts] = await Promise.all([page.getByTestId('canvas-node'), page.getByTestId('sticky'), texts].map(boxes));
	const inTheWay = [
		...touching(inNodes!, inNodes!),
		...touching(inNotes!, inNotes!),
		...touching(inNodes!, inTexts!),
		...touching(inNodes!, inNotes!).filter(([node, note]) => !isInside(node, note)),
	].map(([one, other]) => `${one.name} and ${other.name}`);
	const cutOff = inTexts!.filter((text) => !inNotes!.some((note) => isInside(text, note)));
	const without = inNotes!.filter((note) => !inTexts!.some((text) => isInside(text, note)));
	return [...inTheWay, ...cutOff.map(({ name }) => `${name} is cut off`), ...without.map(({ name }) => `${name} has no text`)];
}

type Box = Awaited<ReturnType<typeof boxes>>[number];

const boxes = async (found: Locator) =>
	await found.evaluateAll((all) => all.map((one) => {
		const { left, top, right, bottom } = one.getBoundingClientRect();
		return { name: one.getAttribute('data-node-name') ?? one.textContent?.trim().slice(0, 40), left, top, right, bottom };
	}));

const touching = (some: Box[], others: Box[]) =>
	some.flatMap((one) => others.filter((other) => one !== other && touch(one, other)).map((other) => [one, other] as const));

const touch = (one: Box, other: Box) =>
	one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

const isInside = (one: Box, other: Box) =>
	one.left >= other.left && one.top >= other.top && one.right <= other.right && one.bottom <= other.bottom;
