import type { Scenario } from '../support/browser/inEditor.mts';
import { namesOffered, openNodesPanel, pick, search } from '../support/browser/nodesPanel.mts';
import { everyOperation } from '../support/everyOperation';
import { eventually } from '../support/until';

export function nodesPanel(scenario: Scenario): void {
	scenario('offers the node for "customer", first of all for "trunk" and "voice", and each operation by what it does', async (editor) => {
		const { page } = editor;
		await openNodesPanel(editor);
		for (const word of ['trunk', 'voice']) {
			// n8n has nodes whose very name is "customer": one of them may be the first, until the next list is there.
			await search(page, 'customer', 'Voice Admin');
			await search(page, word, 'Voice Admin');
			await eventually(async () => expect((await namesOffered(page))[0]).toBe('Voice Admin'));
		}
		await pick(page, 'Voice Admin');
		const actions = everyOperation().flatMap(({ option }) => option.action ?? []);
		expect(actions).toEqual(expect.arrayContaining(['Create a customer', 'Get a VoIP DSS gateway', 'Set premium for a VoIP DSS trunk']));
		await eventually(async () => expect(await namesOffered(page)).toEqual(actions));
	});
}
