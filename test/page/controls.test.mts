import type { Page } from 'playwright-core';

import { Caller, onPage, rows, violations } from './onPage.mts';

const editButton = (page: Page, id: string) => page.getByRole('button', { name: `Edit gateway ${id}`, exact: true });
const gatewayRow = (page: Page, id: string) => page.locator('#gateway-rows tr').filter({ has: editButton(page, id) });
const focusedLabel = (page: Page) => page.evaluate<string | null>('document.activeElement.getAttribute("aria-label")');

/** Lets the sandbox send some more snapshots. */
async function afterSnapshots(page: Page, caller: Caller): Promise<void> {
	for (let count = await rows(page).count(), round = 0; round < 3; round += 1) {
		await caller.gateway('1');
		count += 1;
		await rows(page).nth(count - 1).waitFor({ state: 'attached' });
	}
}

onPage('shows the bodies of a request on click and by keyboard, without secrets', async ({ page, sandbox }) => {
	await new Caller(sandbox).addCustomer({ vatNumber: '1', name: '<i>Rossi</i>', apiKey: 'not for others' });
	await rows(page).nth(1).waitFor();
	await page.locator('summary', { hasText: '/v1/customers/add' }).click();
	const shown = JSON.stringify({ vatNumber: '1', name: '<i>Rossi</i>', apiKey: '[hidden]' }, null, 2);
	expect(await rows(page).first().getByLabel('Request body').textContent()).toBe(shown);
	await page.locator('summary', { hasText: '/auth/api-key/login' }).press('Enter');
	await rows(page).last().getByText('clientId=demo-client&clientSecret=[hidden]').waitFor();
	await rows(page).last().getByText('"access_token": "[hidden]"').waitFor();
	expect(await violations(page)).toEqual([]);
});

onPage('filters the requests by words of method and path, and by errors', async ({ page, sandbox }) => {
	const caller = new Caller(sandbox);
	await caller.everything(sandbox);
	await rows(page).nth(8).waitFor();
	await page.getByLabel('Filter').fill('customers POST');
	await page.locator('#filter-result').getByText('2 of 9 match').waitFor();
	await page.getByLabel('Errors only').check();
	await page.locator('#filter-result').getByText('1 of 9 match').waitFor();
	expect(await rows(page).filter({ visible: true }).allInnerTexts()).toEqual([expect.stringContaining('Connection reset')]);
});

onPage('keeps the focus, what is open, what is typed and the scroll position while snapshots come', async ({ page, sandbox }) => {
	const caller = new Caller(sandbox);
	for (let index = 0; index < 30; index += 1) await caller.gateway('2');
	await rows(page).nth(30).waitFor();
	await rows(page).nth(20).locator('summary').click();
	const open = page.locator('#request-rows li:has([open])');
	const position = async () => (await open.boundingBox())?.y ?? 0;
	const before = await position();
	await afterSnapshots(page, caller);
	expect([await open.count(), await open.locator('summary:focus').count()]).toEqual([1, 1]);
	// three rows that came above would be 90 pixels
	expect(Math.abs((await position()) - before)).toBeLessThan(10);
	const milliseconds = page.getByLabel('milliseconds', { exact: true });
	await milliseconds.fill('123');
	await page.getByLabel('Filter').fill('GE');
	await afterSnapshots(page, caller);
	await page.keyboard.type('T gtw/1');
	expect([await page.getByLabel('Filter').inputValue(), await milliseconds.inputValue()]).toEqual(['GET gtw/1', '123']);
	await editButton(page, '2').focus();
	sandbox.putGateway({ id: '2', name: 'Renamed', type: 'pbx', organizationId: 10 });
	await gatewayRow(page, '2').getByText('Renamed').waitFor();
	expect(await focusedLabel(page)).toBe('Edit gateway 2');
});

onPage('adds a gateway, edits it as JSON with all its fields, says what is wrong with it, and removes it', async ({ page, sandbox }) => {
	const json = page.getByRole('dialog').getByRole('textbox');
	const save = async (text: string) => {
		await json.fill(text);
		await page.getByRole('button', { name: 'Save' }).click();
	};
	const gateway = { id: '70', name: '<b>New</b>', type: 'carrier' as const, organizationId: 30, terminationUri: null, note: 'kept' };
	await page.getByRole('button', { name: 'Add a gateway' }).click();
	await save('{ "id": " " }');
	await page.getByRole('alert').getByText('id: Must not be blank').waitFor();
	await save(JSON.stringify(gateway));
	await gatewayRow(page, '70').getByText('<b>New</b>').waitFor();
	await editButton(page, '70').press('Enter');
	expect(JSON.parse(await json.inputValue())).toEqual(gateway);
	expect(await violations(page)).toEqual([]);
	await save(JSON.stringify({ ...gateway, terminationUri: 'moved.sip.sandbox.example' }));
	await gatewayRow(page, '70').getByText('moved.sip.sandbox.example').waitFor();
	await page.getByRole('button', { name: 'Remove gateway 70' }).click();
	await page.getByText('Gateway 70 removed.').waitFor();
	expect(sandbox.state().gateways.map(({ id }) => id)).not.toContain('70');
}, { mayComplain: true });
