import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { Locator, Page } from 'playwright-core';

import { ROOT } from '../../scripts/bootstrap/paths.mjs';
import type { EditorFixture, Scenario } from '../support/browser/inEditor.mts';
import { NodePanel } from '../support/browser/nodePanel.mts';
import { type Clip, readmeScreenshot, THEMES } from '../support/browser/screenshots.mts';
import { goTo, nodesOnCanvas, openSaved } from '../support/browser/workflow.mts';

const FOLDER = path.join(ROOT, 'examples');

const TOUR = 'tour.json';
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json') && file !== TOUR);

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
		scenario(`${file} can be imported from its file, is laid out for reading, and takes a credential`, async (editor) => {
			const { page } = editor;
			await page.setViewportSize(PICTURE);
			await importFromFile(editor, path.join(FOLDER, file));
			await page.getByTestId('zoom-to-fit').click();
			await readmeScreenshot(page, `example-${path.basename(file, '.json')}`, { clip: await nodesOnCanvas(page), scale: 'css' });

			await page.setViewportSize(CANVAS);
			await page.getByTestId('zoom-to-fit').click();
			// Of texts that are not found, none is cut off or in the way.
			await textsOn(page).first().waitFor();
			expect(await textsOn(page).count()).toBeGreaterThanOrEqual(await notesOn(page).count());
			expect(await cutOffNotes(page)).toEqual([]);
			expect(await overlaps(page)).toEqual([]);
			await pickCredential(page);
			// There is no credential of a model in this n8n.
			const model = page.locator('[data-test-id="canvas-node"][data-node-type*="lmChat"]');
			for (const asking of await model.all()) await asking.getByTestId('node-issues').waitFor();
		});
	}
}

const notesOn = (page: Page) => page.getByTestId('sticky');

/** What the notes say, each in an element whose class differs between versions of n8n. */
const textsOn = (page: Page) => notesOn(page).locator('div:has(> :is(h1, h2, h3, p))');

async function importFromFile(editor: EditorFixture, file: string): Promise<void> {
	const { page } = editor;
	await goTo(editor, '/workflow/new');
	await page.getByTestId('workflow-menu').click();
	await page.getByTestId('workflow-import-input').setInputFiles(file);
	await notesOn(page).first().waitFor();
	await page.keyboard.press('Escape');
}

/**
 * Gives the sandbox's credential to each node of this package, and waits until the editor is content with it. Newer
 * versions of n8n take, without asking, one of the type that is there.
 */
async function pickCredential(page: Page): Promise<void> {
	const ours = await page.locator('[data-test-id="canvas-node"][data-node-type^="n8n-nodes-voice-admin."]').all();
	expect(ours.length).toBeGreaterThan(0);
	for (const node of ours) {
		await node.dblclick();
		await (await NodePanel.opened(page)).useCredential('Voice Admin sandbox');
		await page.getByTestId('ndv-close-button').click();
		await page.getByTestId('ndv').waitFor({ state: 'hidden' });
		await node.getByTestId('node-issues').waitFor({ state: 'detached' });
	}
}

/** Names of the notes whose text does not fit into them. */
async function cutOffNotes(page: Page): Promise<string[]> {
	return await textsOn(page).evaluateAll((all) => {
		const cut = all.filter((text) => {
			const note = text.closest('[data-test-id="sticky"]')!.getBoundingClientRect();
			const last = text.lastElementChild?.getBoundingClientRect();
			return last !== undefined && last.bottom > note.bottom;
		});
		return cut.map((text) => text.textContent?.trim().split('\n')[0] ?? '');
	});
}

/** Pairs of things on the canvas that are in each other's way. A node may lie on a note below its text. */
async function overlaps(page: Page): Promise<string[]> {
	const nodes = await boxes(page.getByTestId('canvas-node'), (node) => node.getAttribute('data-node-name'));
	const notes = await boxes(notesOn(page), (note) => note.innerText().then((text) => text.split('\n')[0]!));
	const texts = await boxes(textsOn(page).locator(':scope > *'), (text) => text.innerText());
	const inTheWay = [
		...pairs(nodes, nodes).filter(([one, other]) => one.name < other.name),
		...pairs(notes, notes).filter(([one, other]) => one.name < other.name),
		...pairs(nodes, texts),
		...pairs(nodes, notes).filter(([node, note]) => !inside(node.box, note.box)),
	].filter(([one, other]) => touch(one.box, other.box));
	return inTheWay.map(([one, other]) => `${one.name} and ${other.name}`);
}

interface Placed {
	name: string;
	box: Clip;
}

async function boxes(found: Locator, nameOf: (one: Locator) => Promise<string | null>): Promise<Placed[]> {
	const placed = async (one: Locator) => ({ name: (await nameOf(one)) ?? 'without a name', box: (await one.boundingBox())! });
	return await Promise.all((await found.all()).map(placed));
}

const pairs = (some: Placed[], others: Placed[]) => some.flatMap((one) => others.map((other) => [one, other] as const));

const touch = (one: Clip, other: Clip) =>
	one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;

const inside = (one: Clip, other: Clip) =>
	one.x >= other.x && one.y >= other.y && one.x + one.width <= other.x + other.width && one.y + one.height <= other.y + other.height;
