import type { Page } from 'playwright-core';

import { Caller } from './requests.mts';
import { onPage, rows, violations } from './watching.mts';

const editButton = (page: Page, id: string) => page.getByRole('button', { name: `Edit gateway ${id}`, exact: true });
const gatewayRow = (page: Page, id: string) => page.locator('#gateway-rows tr').filter({ has: editButton(page, id) });
const focusedLabel = (page: Page) => page.evaluate<string | null>('document.activeElement.getAttribute("aria-label")');
const dialog = (page: Page) => page.getByRole('dialog');

/** Lets the sandbox send some more snapshots. */
async function afterSnapshots(page: Page, caller: Caller): Promise<void> {
	for (let count = await rows(page).count(), round = 0; round < 3; round += 1) {
		await caller.gateway('1');
		count += 1;
		await rows(page).nth(count - 1).waitFor({ state: 'attached' });
	}
}

describe('the bodies of a request', () => {
	onPage('are shown on click and by keyboard, with JSON indented and without secrets', async ({ page, sandbox }) => {
		await new Caller(sandbox).addCustomer({ vatNumber: '1', name: '<i>Rossi</i>', apiKey: 'not for others' });
		await rows(page).nth(1).waitFor();
		await page.locator('summary', { hasText: '/v1/customers/add' }).click();
		const shown = JSON.stringify({ vatNumber: '1', name: '<i>Rossi</i>', apiKey: '[hidden]' }, null, 2);
		expect(await rows(page).first().getByLabel('Request body').textContent()).toBe(shown);
		expect(JSON.parse((await rows(page).first().getByLabel('Response body').textContent()) ?? '')).toMatchObject({ vatNumber: '1' });
		await page.keyboard.press('Enter');
		await rows(page).first().getByLabel('Request body').waitFor({ state: 'hidden' });
		await page.locator('summary', { hasText: '/auth/api-key/login' }).press('Enter');
		await rows(page).last().getByText('clientId=demo-client&clientSecret=[hidden]').waitFor();
		await rows(page).last().getByText('"access_token": "[hidden]"').waitFor();
		expect(await violations(page)).toEqual([]);
	});

	onPage('are shown as they are where indenting would change them, and as "None" where there are none', async ({ page, sandbox }) => {
		const caller = new Caller(sandbox);
		await caller.call('POST', '/v1/customers/add', { body: '{"id": 12345678901234567890}' });
		await caller.setPremium({ idTrunk: 1001, iso: 'IT' });
		await rows(page).nth(2).waitFor();
		await rows(page).nth(1).locator('summary').click();
		await rows(page).nth(1).getByText('{"id": 12345678901234567890}').waitFor();
		await rows(page).first().locator('summary').click();
		await rows(page).first().getByText('None').waitFor();
	});
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
	await caller.gateway('99');
	await page.getByLabel('Filter').fill('');
	await page.locator('#filter-result').getByText('5 of 10 match').waitFor();
	await page.getByLabel('Errors only').uncheck();
	await page.locator('#filter-result').getByText('match').waitFor({ state: 'detached' });
	expect(await rows(page).filter({ visible: true }).count()).toBe(10);
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

describe('a gateway', () => {
	const json = (page: Page) => dialog(page).getByRole('textbox');

	onPage('is added, edited as JSON with all its fields, and removed', async ({ page, sandbox }) => {
		const gateway = { id: '70', name: '<b>New</b>', type: 'carrier' as const, organizationId: 30, terminationUri: null, note: 'kept' };
		await page.getByRole('button', { name: 'Add a gateway' }).click();
		await json(page).fill(JSON.stringify(gateway));
		await page.getByRole('button', { name: 'Save' }).click();
		await gatewayRow(page, '70').getByText('<b>New</b>').waitFor();
		await gatewayRow(page, '70').getByText('null').waitFor();
		await editButton(page, '70').press('Enter');
		expect(JSON.parse(await json(page).inputValue())).toEqual(gateway);
		expect(await violations(page)).toEqual([]);
		await json(page).fill(JSON.stringify({ ...gateway, terminationUri: 'moved.sip.sandbox.example' }));
		await page.getByRole('button', { name: 'Save' }).press('Enter');
		await gatewayRow(page, '70').getByText('moved.sip.sandbox.example').waitFor();
		expect(sandbox.state().gateways).toContainEqual({ ...gateway, terminationUri: 'moved.sip.sandbox.example' });
		await page.getByRole('button', { name: 'Remove gateway 70' }).click();
		await page.getByText('Gateway 70 removed.').waitFor();
		await gatewayRow(page, '70').waitFor({ state: 'detached' });
	});

	onPage('that is not valid is not stored: the form says why and stays open, until Escape', async ({ page, sandbox }) => {
		const before = sandbox.state().gateways;
		await page.getByRole('button', { name: 'Add a gateway' }).click();
		for (const [text, reason] of [['{ "id": " " }', 'id: Must not be blank'], ['{', 'is not valid JSON']] as const) {
			await json(page).fill(text);
			await page.getByRole('button', { name: 'Save' }).click();
			await page.getByRole('alert').getByText(reason).waitFor();
		}
		await page.keyboard.press('Escape');
		await dialog(page).waitFor({ state: 'hidden' });
		expect(sandbox.state().gateways).toEqual(before);
	}, { mayComplain: true });
});

onPage('changes no fault when those that are there cannot be read', async ({ page, sandbox }) => {
	sandbox.setFaults({ rules: [{ fault: 'http503' }] });
	await page.route('**/_sandbox/faults', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()));
	await page.getByRole('switch', { name: 'HTML page', exact: true }).click();
	await page.getByText('Not done: The sandbox does not answer').waitFor();
	expect(sandbox.faults().plan.rules).toEqual([{ fault: 'http503' }]);
}, { mayComplain: true });

onPage('copies the values of the credential, and says so to screen readers too', async ({ page, sandbox }) => {
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	for (const [name, value] of [['base URL', sandbox.url], ['client ID', 'demo-client'], ['API key', 'demo-key-not-a-secret']]) {
		await page.getByRole('button', { name: `Copy ${name}` }).press('Enter');
		await page.getByRole('status').getByText(`Copied ${name}.`).waitFor();
		expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value);
	}
	// as where the browser gives no clipboard
	await page.evaluate('delete Navigator.prototype.clipboard');
	await page.getByRole('button', { name: 'Copy client ID' }).click();
	await page.getByText('Press Ctrl+C to copy the selected text.').waitFor();
	expect(await page.evaluate('String(getSelection())')).toBe('demo-client');
});

onPage('resets only when that is confirmed, and says what was deleted', async ({ page, sandbox }) => {
	const caller = new Caller(sandbox);
	await caller.addCustomer({ vatNumber: '1' });
	await page.getByText('2 requests · 1 login').waitFor();
	const asked: string[] = [];
	page.on('dialog', (question) => void (asked.push(question.message()) === 1 ? question.dismiss() : question.accept()));
	await page.getByRole('button', { name: 'Reset…' }).click();
	expect([asked.length, sandbox.state().customers.length]).toEqual([1, 1]);
	await page.getByRole('button', { name: 'Reset…' }).click();
	await page.getByText('The sandbox was reset: 2 requests and 1 customer deleted.').waitFor();
	await page.getByText('No requests yet').waitFor();
	expect([asked[0], sandbox.state().customers]).toEqual([expect.stringContaining('This deletes 2 requests and 1 customer'), []]);
});
