import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { type IConnections, type INode, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';
import type { Page } from 'playwright-core';

import { ROOT } from '../../scripts/bootstrap/paths.mjs';
import type { Scenario } from '../support/browser/inEditor.mts';
import { NodePanel, nodeNamed } from '../support/browser/nodePanel.mts';
import { readmeScreenshot, THEMES } from '../support/browser/screenshots.mts';
import { eventually } from '../support/until';
import { importFile, nodesOnCanvas, openSaved } from '../support/browser/workflow.mts';

const FOLDER = path.join(ROOT, 'examples');

const TOUR = 'tour.json';
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json') && file !== TOUR);

interface Workflow {
	id: string;
	nodes: INode[];
	connections: IConnections;
}

/**
 * Those with values that the editor loads, and then may write; with VOICE_ADMIN_TEST_FULL, as every night, all: opening
 * one takes seconds.
 */
const isTouched = ({ type, parameters }: INode) =>
	process.env.VOICE_ADMIN_TEST_FULL
		? type !== 'n8n-nodes-base.stickyNote'
		: JSON.stringify(parameters).includes('"__rl"');

const TOUCHED = 'Touched';

/** Large enough for all of a workflow in a size in which its notes can be read. */
const CANVAS = { width: 2600, height: 1300 };

/** Of the examples that the documents show, and the size of their pictures. */
const PICTURED = ['create-customers-once', 'customers-from-list'];
const PICTURE = { width: 1600, height: 900 };

export function examples(scenario: Scenario): void {
	for (const { theme, suffix } of THEMES) {
		scenario(`${TOUR} runs from end to end in the ${theme} theme, node by node`, async (editor) => {
			const { page } = editor;
			const tour = JSON.parse(readFileSync(path.join(FOLDER, TOUR), 'utf8')) as {
				id: string;
				nodes: Array<{ type: string }>;
			};
			await page.emulateMedia({ colorScheme: theme });
			await openSaved(editor, tour);
			await page.getByTestId('execute-workflow-button').click();
			const nodes = tour.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
			await page
				.getByTestId('canvas-node-status-success')
				.nth(nodes.length - 1)
				.waitFor();
			await page.getByTestId('zoom-to-fit').click();
			await readmeScreenshot(page, `tour${suffix}`, { clip: await nodesOnCanvas(page), scale: 'css' });
		});
	}

	for (const file of files) {
		const workflow = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Workflow;
		const touched = workflow.nodes.filter(isTouched);
		if (touched.length > 0)
			scenario(
				`${file} is the same after its nodes were opened, refreshed where n8n offers it, touched and saved`,
				async (editor) => {
					const { page } = editor;
					await openSaved(editor, workflow);
					await page.getByTestId('zoom-to-fit').click();
					for (const { name } of touched) await NodePanel.inside(page, name, touch);
					await page.keyboard.press('Control+s');
					const id = page
						.url()
						.split('/workflow/')[1]!
						.replace(/[?/].*/, '');
					const types = await typesOf(page, workflow.nodes);
					const whole = ({ nodes, connections }: Workflow) => ({
						connections,
						nodes: nodes.map((node) => wholeNode(node, types)),
					});
					const expected = {
						...workflow,
						nodes: workflow.nodes.map((node) => (isTouched(node) ? { ...node, notes: TOUCHED } : node)),
					};
					await eventually(async () =>
						expect(whole(await editor.rest<Workflow>('GET', `/workflows/${id}`))).toEqual(whole(expected)),
					);
				},
			);

		scenario(`${file} can be imported from its file, and takes a credential`, async (editor) => {
			const { page } = editor;
			await page.setViewportSize(PICTURE);
			const name = path.basename(file, '.json');
			await importFile(editor, name);
			if (PICTURED.includes(name))
				await readmeScreenshot(page, `example-${name}`, { clip: await nodesOnCanvas(page), scale: 'css' });

			await page.setViewportSize(CANVAS);
			await page.getByTestId('zoom-to-fit').click();
			// Newer versions of n8n take, without asking, one of the type that is there.
			for (const { name } of workflow.nodes.filter(({ type }) => type.startsWith('n8n-nodes-voice-admin.'))) {
				await NodePanel.inside(page, name, async (panel) => await panel.useCredential('Voice Admin sandbox'));
				await nodeNamed(page, name).getByTestId('node-issues').waitFor({ state: 'detached' });
			}
			// There is no credential of a model in this n8n.
			const model = page.locator('[data-test-id="canvas-node"][data-node-type*="lmChat"]');
			for (const asking of await model.all()) await asking.getByTestId('node-issues').waitFor();
		});
	}
}

/** The descriptions of nodes in this n8n, each with all of its versions. All of n8n's would be 20 MB. */
async function typesOf(page: Page, nodes: INode[]): Promise<INodeTypeDescription[]> {
	const names = JSON.stringify(nodes.map(({ type }) => type));
	const wanted = `fetch('/types/nodes.json').then((response) => response.json()).then((all) => all.filter(({ name }) => ${names}.includes(name)))`;
	return await page.evaluate(wanted);
}

/** A node with the values that n8n gives to what its file does not hold: the editor may leave these out, or write them. */
function wholeNode(node: INode, types: INodeTypeDescription[]): unknown {
	const type = types.find(({ name, version }) => name === node.type && [version].flat().includes(node.typeVersion));
	if (!type) throw new Error(`n8n has no ${node.type} in version ${node.typeVersion}`);
	const parameters = NodeHelpers.getNodeParameters(type.properties, node.parameters, true, false, node, type);
	const { id, name, notes, position, credentials = {}, onError, executeOnce, retryOnFail, alwaysOutputData } = node;
	// Newer versions of n8n take, without asking, a credential that is there.
	return {
		id,
		name,
		notes,
		position,
		credentials: Object.keys(credentials),
		onError,
		executeOnce,
		retryOnFail,
		alwaysOutputData,
		parameters,
	};
}

/** Does what n8n offers in the panel of a node about its columns, and writes a note, so that n8n saves it. */
async function touch({ panel }: NodePanel): Promise<void> {
	for (const refresh of await panel.getByText(/refresh/i).all()) if (await refresh.isVisible()) await refresh.click();
	await panel.getByTestId('tab-settings').click();
	await panel.locator('textarea').last().fill(TOUCHED);
}
