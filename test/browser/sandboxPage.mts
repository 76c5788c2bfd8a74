import type { Scenario } from '../support/browser/inEditor.mts';
import { addNode } from '../support/browser/nodesPanel.mts';
import { screenshot } from '../support/browser/screenshots.mts';

export function sandboxPage(scenario: Scenario): void {
	scenario('shows in another window what a workflow in the editor does', async (editor) => {
		const { page, sandbox } = editor;
		const watcher = await page.context().newPage();
		try {
			await watcher.goto(`${sandbox.url}/`);
			await watcher.getByText('No customers yet').waitFor();

			// A page that is behind another one is drawn seldom.
			await page.bringToFront();
			const node = await addNode(editor, 'Create a customer');
			await node.fill('VAT Number', 'IT12345678903');
			await node.execute();

			await watcher.locator('#customer-rows li').getByText('IT12345678903').waitFor();
			await watcher.locator('#request-rows li').filter({ hasText: '/v1/customers/add' }).filter({ hasText: '201' }).waitFor();
			await screenshot(watcher, 'sandbox-page');
		} finally {
			await watcher.close();
		}
	});
}
