import type { Locator, Page } from 'playwright-core';

import { startSandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { addCustomer, getGateway, setPremium } from '../support/operations';
import { putIntoDocs, takePicture, UPDATES_IMAGES } from '../support/browser/pictures.mts';
import { violations } from './accessibility.mts';
import { Caller } from './requests.mts';
import { DESKTOP, PHONE, watching } from './watching.mts';

const rows = (page: Page) => page.locator('#request-rows li');
const row = (page: Page, ...texts: string[]) => texts.reduce((found, hasText) => found.filter({ hasText }), rows(page)).first();
const faultSwitch = (page: Page, title: string) => page.getByRole('switch', { name: title, exact: true });
const faultRow = (page: Page, title: string) => page.locator('.fault-row').filter({ has: faultSwitch(page, title) });
const isOn = async (of: Locator) => (await of.getAttribute('aria-checked')) === 'true';
const connected = (page: Page) => page.getByText('Connected', { exact: true }).waitFor();

/** Goes on with the Tab key until the element has the focus, as one does who has no mouse. */
async function tabTo(page: Page, target: Locator): Promise<void> {
	const element = await target.elementHandle();
	for (let presses = 0; presses < 200; presses += 1) {
		if (await element?.evaluate((node) => node.ownerDocument.activeElement === node)) return;
		await page.keyboard.press('Tab');
	}
	throw new Error('The Tab key does not lead there');
}

it('says what is empty, how to fill it, and what to enter in the credential', () =>
	watching(async ({ page, sandbox }) => {
		await connected(page);
		for (const text of ['No requests yet', 'No customers yet. Run a workflow with Voice Admin: Add', 'No trunk has a premium country yet. Run a workflow with Voice Admin: Set Premium and a trunk ID', sandbox.url, 'demo-client', 'demo-key-not-a-secret']) {
			expect([text, await page.getByText(text, { exact: false }).first().isVisible()]).toEqual([text, true]);
		}
	}));

it('shows at once, without a reload, what a workflow does', () =>
	watching(async ({ page, sandbox }) => {
		await connected(page);
		await page.evaluate('window.notReloaded = true');
		const credential = credentialFor(sandbox.url);
		await execute({ parameters: setPremium(1004, 'it, FR'), credential });
		await execute({ parameters: addCustomer('IT12345678903', { otherFields: '{"companyName": "Rossi"}' }), credential });
		await execute({ parameters: getGateway('99'), credential });

		await row(page, 'GET', '/v1/voip/dss/gtw/99', '404 Not Found').waitFor();
		await row(page, 'POST', '/v1/customers/add', '201 Created').waitFor();
		await row(page, 'PUT', '/v1/voip/dss/trunk/country/setpremium', '204 No Content').waitFor();
		await row(page, 'POST', '/auth/api-key/login', '200 OK').waitFor();
		expect(await rows(page).first().locator('.number').textContent()).toMatch(/^ \d+\.\d ms$/);
		// the node sends both at once
		expect((await page.locator('#trunk-1004 .country').allTextContents()).sort()).toEqual(['FR', 'IT']);
		expect(await page.locator('#customer-rows li').first().innerText()).toContain('IT12345678903');
		expect(await page.locator('#customer-rows li').first().innerText()).toContain('companyName: Rossi');
		for (const hint of ['#no-requests', '#no-customers', '#no-premium']) expect(await page.locator(hint).isVisible()).toBe(false);
		expect(await page.evaluate('window.notReloaded')).toBe(true);
	}));

it('shows a gateway that was changed, added or taken away by a control path', () =>
	watching(async ({ page, sandbox }) => {
		await connected(page);
		const gateways = page.locator('#gateway-rows tr');
		const count = await gateways.count();
		sandbox.putGateway({ id: '12', name: 'Moved', type: 'elastic-sip-trunk', organizationId: 30, terminationUri: 'moved.sip.sandbox.example' });
		await gateways.filter({ hasText: 'moved.sip.sandbox.example' }).waitFor();
		expect(await gateways.count()).toBe(count);
		sandbox.putGateway({ id: '99', name: '<b>New</b>', type: 'pbx', organizationId: 10 });
		await gateways.filter({ hasText: '<b>New</b>' }).waitFor();
		sandbox.removeGateway('12');
		await gateways.filter({ hasText: 'moved.sip.sandbox.example' }).waitFor({ state: 'detached' });
		expect(await gateways.count()).toBe(count);
	}));

it('tells a failure from a success without color, and names the fault', () =>
	watching(async ({ page, sandbox }) => {
		const caller = await Caller.of(sandbox);
		await caller.everything(sandbox);
		await row(page, '✕ 404 Not Found').waitFor();
		await row(page, '✕ 500 Internal Server Error').waitFor();
		await row(page, '✕ Connection reset', 'fault: resetAfter').waitFor();
		await row(page, '✕ 503 Service Unavailable', 'fault: http503').waitFor();
		await row(page, '✓ 201 Created').waitFor();
		await page.setViewportSize({ width: 1200, height: 700 });
		const picture = await takePicture(page, 'page', 'sandbox');
		if (UPDATES_IMAGES) await putIntoDocs(picture);
	}));

it('shows whatever a customer is called as text', () =>
	watching(async ({ page, sandbox }) => {
		await connected(page);
		const scripts = await page.locator('script').count();
		const hostile = '<script>window.hacked = 1</script><img src="x" onerror="window.hacked = 1">';
		const caller = await Caller.of(sandbox);
		await caller.addCustomer({ vatNumber: hostile, [hostile]: hostile });
		await caller.setPremium(1001, 'IT', { premium_available: hostile });
		sandbox.setFaults({ rules: [{ fault: 'http400', path: '/v9', message: hostile }] });
		await caller.send('GET', `/${hostile}`);
		const card = page.locator('#customer-rows li');
		await card.getByText(hostile, { exact: true }).waitFor();
		await faultRow(page, '400 Bad Request').getByText(hostile, { exact: false }).waitFor();
		expect(await card.innerText()).toContain(`${hostile}: ${hostile}`);
		expect(await page.locator('#trunk-1001').innerText()).toContain(`premium_available: ${hostile}`);
		expect([await page.locator('script').count(), await page.locator('main img').count(), await page.evaluate('window.hacked')]).toEqual([scripts, 0, undefined]);
	}));

it('shows no token and no key of who calls', () =>
	watching(async ({ page, sandbox }) => {
		const caller = await Caller.of(sandbox);
		await caller.addCustomer({ vatNumber: '1', note: caller.token });
		await caller.getGateway(`${caller.token}?token=${caller.token}`);
		await row(page, '/v1/voip/dss/gtw/[access token]?…').waitFor();
		expect(await page.content()).not.toContain(caller.token.split('.')[1]);
	}));

describe('a fault', () => {
	it('is switched on and off with the keyboard alone, for the next request of an operation', () =>
		watching(async ({ page, sandbox }) => {
			await connected(page);
			await tabTo(page, page.getByLabel('Frequency'));
			await page.keyboard.press('ArrowDown');
			await page.keyboard.press('Tab');
			await page.keyboard.type('Customer');
			const target = faultSwitch(page, '503 Service Unavailable');
			await tabTo(page, target);
			await page.keyboard.press('Space');
			await faultRow(page, '503 Service Unavailable').getByText('On for the next request (path /v1/customers). Injected into 0 of 0 requests').waitFor();
			expect(sandbox.faults().plan.rules).toEqual([{ fault: 'http503', path: '/v1/customers', count: 1 }]);
			expect(await isOn(target)).toBe(true);
			expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe('switch');
			expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
			await page.keyboard.press('Enter');
			await faultRow(page, '503 Service Unavailable').getByText('On for').waitFor({ state: 'hidden' });
			expect(sandbox.faults().plan.rules).toEqual([]);
		}));

	it('that was for the next request is off again when it has injected', () =>
		watching(async ({ page, sandbox }) => {
			await page.getByLabel('Frequency').selectOption('once');
			await faultSwitch(page, 'Reset, processed').click();
			await faultRow(page, 'Reset, processed').getByText('On for the next request').waitFor();
			const caller = await Caller.of(sandbox);
			expect([await caller.addCustomer({ vatNumber: '1' }), await caller.addCustomer({ vatNumber: '2' })]).toEqual([undefined, 201]);
			await faultRow(page, 'Reset, processed').getByText('Off again. Injected into 1 of 2 requests').waitFor();
			expect(await isOn(faultSwitch(page, 'Reset, processed'))).toBe(false);
			expect(await page.locator('#customer-rows li').count()).toBe(2);
		}));

	it('takes the value that is entered beside it, also while it is on', () =>
		watching(async ({ page, sandbox }) => {
			const milliseconds = page.getByLabel('milliseconds', { exact: true });
			await milliseconds.fill('5');
			await faultSwitch(page, 'Latency').click();
			await faultRow(page, 'Latency').getByText('ms 5)').waitFor();
			await milliseconds.fill('6');
			await milliseconds.press('Enter');
			await faultRow(page, 'Latency').getByText('ms 6)').waitFor();
			expect(sandbox.faults().plan.rules).toEqual([{ fault: 'latency', path: '/v1', ms: 6 }]);
			await milliseconds.fill('-1');
			await milliseconds.press('Enter');
			expect(sandbox.faults().plan.rules).toEqual([{ fault: 'latency', path: '/v1', ms: 6 }]);
		}));

	it('of each kind can be switched on, and all of them off', () =>
		watching(async ({ page, sandbox }) => {
			await connected(page);
			const switches = page.getByRole('switch');
			for (let index = 0; index < (await switches.count()); index += 1) {
				await switches.nth(index).click();
			}
			await page.getByText(`${await switches.count()} active`).waitFor();
			const { rules = [], rateLimit } = sandbox.faults().plan;
			expect([rules.length + 1, rateLimit?.perSecond]).toEqual([await switches.count(), 5]);
			await page.getByRole('button', { name: 'Turn off all faults' }).click();
			await page.getByText('None active').waitFor();
			expect(sandbox.faults().plan).toEqual({ rules: [] });
		}));

	it('that was set elsewhere is shown with all that it says', () =>
		watching(async ({ page, sandbox }) => {
			await connected(page);
			await fetch(`${sandbox.url}/_sandbox/faults`, { method: 'PUT', body: JSON.stringify({ rules: [{ fault: 'http429', retryAfterSeconds: 9, rate: 0.5, method: 'get', after: 2, count: 3 }, { fault: 'tokenExpires', afterRequests: 4 }], rateLimit: { perSecond: 7 } }) });
			await faultRow(page, '429 Too Many Requests').getByText('On for the next 3 requests (retryAfterSeconds 9, rate 0.5, method get, after 2). Injected into 0 of 0 requests').waitFor();
			await faultRow(page, 'Expiring tokens').getByText('On (afterRequests 4)').waitFor();
			await faultRow(page, 'Rate limit').getByText('On (perSecond 7)').waitFor();
			expect(await page.getByLabel('seconds in Retry-After').inputValue()).toBe('9');
			await page.reload();
			await page.getByText('3 active').waitFor();
		}));

	it('may be that all tokens have expired', () =>
		watching(async ({ page, sandbox }) => {
			const caller = await Caller.of(sandbox);
			await connected(page);
			await page.getByRole('button', { name: 'Expire all access tokens' }).click();
			await page.getByText('All access tokens have expired.').waitFor();
			expect(await caller.getGateway('1')).toBe(401);
		}));
});

it('says that it is disconnected when the sandbox ends, and comes back by itself', () =>
	watching(async ({ page, sandbox }) => {
		await (await Caller.of(sandbox)).addCustomer({ vatNumber: 'IT12345678903' });
		await page.getByText('1 customer', { exact: true }).waitFor();
		await sandbox.close();
		await page.getByText('Disconnected: the sandbox does not answer').waitFor();
		expect(await faultSwitch(page, 'Latency').isDisabled()).toBe(true);
		expect(await page.getByRole('button', { name: 'Reset' }).isDisabled()).toBe(true);
		await takePicture(page, 'page', 'disconnected');
		const again = await startSandbox({ port: sandbox.port });
		try {
			await connected(page);
			await page.getByText('No customers yet').waitFor();
			expect(await faultSwitch(page, 'Latency').isDisabled()).toBe(false);
		} finally {
			await again.close();
		}
	}, { mayComplain: true }));

it('takes 2,000 requests at once: few rows, all of them counted, and spoken of in a few words', () =>
	watching(async ({ page, sandbox }) => {
		await connected(page);
		await page.evaluate(`
			window.drawn = 0; window.spoken = 0;
			new MutationObserver(() => window.drawn++).observe(document.getElementById('request-rows'), { childList: true });
			new MutationObserver(() => window.spoken++).observe(document.getElementById('news'), { childList: true });
		`);
		const caller = await Caller.of(sandbox);
		await Promise.all(Array.from({ length: 2000 }, (_, index) => caller.addCustomer({ vatNumber: String(index) })));
		await page.getByText('2,001 requests · 1 login · latest 200 shown').waitFor();
		await page.getByText('2,000 customers · latest 100 shown').waitFor();
		expect([await rows(page).count(), await page.locator('#customer-rows li').count()]).toEqual([200, 100]);
		expect(await page.evaluate<number>('window.drawn')).toBeLessThan(1000);
		await page.locator('#news').getByText(/new requests?\./).waitFor();
		// still answers
		await page.getByRole('button', { name: 'Reset…' }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
		await page.getByText('The sandbox was reset: 2,001 requests, 2,000 customers and 0 premium countries deleted.').waitFor();
		await page.locator('#news').getByText('The sandbox was reset.').waitFor();
		expect(await page.evaluate<number>('window.spoken')).toBeLessThan(20);
		expect(await page.locator('#news').getAttribute('aria-live')).toBe('polite');
		expect(await page.locator('[aria-live] table, [role=log] table').count()).toBe(0);
	}));

describe.each(['light', 'dark'] as const)('in the %s color scheme', (colorScheme) => {
	it('has no violation that axe-core finds, nor a contrast below 4.5:1', () =>
		watching(
			async ({ page, sandbox }) => {
				await connected(page);
				expect(await violations(page)).toEqual([]);
				await (await Caller.of(sandbox)).everything(sandbox);
				await row(page, '503 Service Unavailable').waitFor();
				await page.getByRole('button', { name: 'Expire all access tokens' }).click();
				await page.getByText('All access tokens have expired.').waitFor();
				// what is new is shown by a color that fades, in front of which no contrast could be told
				await page.emulateMedia({ reducedMotion: 'reduce', colorScheme });
				await takePicture(page, 'page', colorScheme, { fullPage: true });
				expect(await violations(page)).toEqual([]);
				await sandbox.close();
				await page.getByText('Disconnected: the sandbox does not answer').waitFor();
				expect(await violations(page)).toEqual([]);
			},
			{ screen: { ...DESKTOP, colorScheme }, mayComplain: true },
		));

	it('shows the OpenAPI document with enough contrast, from nowhere else', () =>
		watching(
			async ({ page }) => {
				const operations = page.locator('.opblock-summary-control');
				await operations.nth(4).waitFor();
				for (const operation of await operations.all()) await operation.click();
				await page.locator('.opblock-body .execute').nth(4).waitFor();
				await takePicture(page, 'page', `docs-${colorScheme}`);
				expect(await violations(page, ['color-contrast'])).toEqual([]);
			},
			{ at: '/docs', screen: { ...DESKTOP, colorScheme } },
		));
});

it('fits on a phone, whatever is long', () =>
	watching(
		async ({ page, sandbox }) => {
			const caller = await Caller.of(sandbox);
			await caller.everything(sandbox);
			await takePicture(page, 'page', 'phone');
			await takePicture(page, 'page', 'phone-whole', { fullPage: true });
			await caller.addCustomer({ vatNumber: 'x'.repeat(300), ['y'.repeat(300)]: 'z'.repeat(300) });
			for (let index = 100; index < 180; index += 1) await caller.setPremium(1001, String(index), { premium_available: 'w'.repeat(200) });
			await caller.getGateway('v'.repeat(400));
			sandbox.switchFault('http500', { path: `/${'u'.repeat(200)}` });
			await faultRow(page, '500 Internal Server Error').getByText('uuuu').waitFor();
			await row(page, 'vvvv').waitFor();
			expect(await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')).toEqual([390, 390]);
			expect(await violations(page)).toEqual([]);
			await faultSwitch(page, 'Latency').tap();
			await faultRow(page, 'Latency').getByText('On for every request').waitFor();
		},
		{ screen: PHONE },
	));

it('shows a request from its time to its milliseconds on screens of every width', () =>
	watching(async ({ page, sandbox }) => {
		await (await Caller.of(sandbox)).everything(sandbox);
		await row(page, '503 Service Unavailable').waitFor();
		for (const width of [320, 390, 600, 761, 900, 1151, 1200, 1280, 1920]) {
			await page.setViewportSize({ width, height: 900 });
			const hidden = await page.evaluate('[document.documentElement, ...document.querySelectorAll(".scroll")].some((part) => part.scrollWidth > part.clientWidth)');
			expect([width, hidden]).toEqual([width, false]);
		}
	}));

it('tries an operation of the document out on the sandbox itself', () =>
	watching(
		async ({ page, sandbox }) => {
			await page.locator('#operations-Authentication-login .opblock-summary-control').click();
			await page.locator('#operations-Authentication-login .execute').click();
			const reply = page.locator('#operations-Authentication-login .live-responses-table .response');
			await reply.getByText('access_token').first().waitFor();
			const [token = ''] = /eyJ[\w.-]+/.exec(await reply.innerText()) ?? [];
			await page.getByRole('button', { name: 'Authorize' }).first().click();
			await page.locator('.auth-container input').fill(token);
			await page.locator('.auth-container').getByRole('button', { name: /Apply credentials/ }).click();
			await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).last().click();
			await page.locator('#operations-VoIP_DSS_Gateway-getGateway .opblock-summary-control').click();
			await page.locator('#operations-VoIP_DSS_Gateway-getGateway .execute').click();
			await page.locator('#operations-VoIP_DSS_Gateway-getGateway .live-responses-table').getByText('milano-1.sip.sandbox.example').first().waitFor();
			expect(sandbox.requests().map(({ path, status }) => [path, status])).toEqual([['/auth/api-key/login', 200], ['/v1/voip/dss/gtw/1', 200]]);
		},
		{ at: '/docs' },
	));
