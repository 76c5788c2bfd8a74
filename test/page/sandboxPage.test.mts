import { mkdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../sandbox';
import { CACHE } from '../../scripts/bootstrap/paths.mjs';
import { DocumentedClient } from '../sandbox/documentedClient';
import { launchChromium } from '../support/browser/chromium.mts';
import { putIntoDocs, takePicture, UPDATES_IMAGES } from '../support/browser/pictures.mts';

interface Options {
	colorScheme?: 'light' | 'dark';
	/** Where the sandbox ends, or rejects a request: the browser logs that as an error. */
	mayComplain?: true;
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const PROFILES = path.join(CACHE, 'e2e', 'page');
const SHOWN_WITHIN_MS = 20_000;

let launched = 0;

/**
 * A test of the page, open in Chromium, of a sandbox of its own. Expects that the browser complains of nothing: errors of
 * scripts, what the Content-Security-Policy stopped, requests to other hosts.
 */
function onPage(
	title: string,
	work: (watching: { sandbox: Sandbox; page: Page }) => Promise<void>,
	options: Options = {},
): void {
	const { colorScheme = 'light', mayComplain } = options;
	it(title, async () => {
		const sandbox = await startSandbox();
		const profile = path.join(PROFILES, String(launched++));
		await rm(profile, { recursive: true, force: true });
		await mkdir(profile, { recursive: true });
		const browser = await launchChromium(profile, { colorScheme, viewport: { width: 1280, height: 900 } });
		try {
			browser.setDefaultTimeout(SHOWN_WITHIN_MS);
			const page = await browser.newPage();
			const complaints: string[] = [];
			page.on('pageerror', (error) => complaints.push(error.message));
			page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
			page.on('request', (request) => {
				const { origin, protocol } = new URL(request.url());
				if (origin !== sandbox.url && protocol !== 'data:') complaints.push(`A request to ${request.url()}`);
			});
			await page.goto(sandbox.url);
			await work({ sandbox, page });
			if (!mayComplain) expect(complaints).toEqual([]);
		} finally {
			await browser.close();
			await sandbox.close();
		}
	});
}

/** The rows of the log of requests. */
const rows = (page: Page): Locator => page.locator('#request-rows li');

interface Violation {
	id: string;
	nodes: Array<{ target: string[]; any: Array<{ message: string }> }>;
}

/** What axe-core objects to on a page, a line for each element. */
async function violations(page: Page): Promise<string[]> {
	// by the debugger's way, which the page's own Content-Security-Policy does not stop
	await page.evaluate(await readFile(AXE, 'utf8'));
	const { violations: found } = await page.evaluate<{ violations: Violation[] }>('axe.run()');
	return found.flatMap(({ id, nodes }) =>
		nodes.map(({ target, any }) => `${id}: ${target.join(' ')}: ${any[0]?.message ?? ''}`),
	);
}

/** Sends something of everything that the page shows. */
async function fill(sandbox: Sandbox): Promise<void> {
	const client = new DocumentedClient(sandbox);
	await client.setPremium({ idTrunk: 1001, iso: 'IT' });
	await client.setPremium({ idTrunk: 1004, iso: 'FR', organizationId: 10, sbcId: 2, premium_available: 'yes' });
	await client.setPremium({ idTrunk: 1500, iso: 'DE' });
	await client.addCustomer({ vatNumber: 'IT12345678903', companyName: 'Rossi Telefonia Srl', city: 'Milano' });
	for (const id of ['1', '99']) await client.gateway(id);
	sandbox.setFaults([
		{ fault: 'resetAfter', path: '/v1/customers', count: 1 },
		{ fault: 'http', status: 503, path: '/v1/voip/dss/gtw' },
	]);
	await expect(client.addCustomer({ vatNumber: 'IT00743110157', companyName: 'Verdi S.p.A.' })).rejects.toThrow();
	await client.callFreely('GET', '/v1/voip/dss/gtw/3');
}

const row = (page: Page, ...texts: string[]) =>
	texts.reduce((found, hasText) => found.filter({ hasText }), rows(page)).first();
const connected = (page: Page) => page.getByText('Connected', { exact: true }).waitFor();

onPage('tells a failure from a success without color, and names the fault', async ({ page, sandbox }) => {
	await fill(sandbox);
	const texts = [
		['✕ 404'],
		['✕ 500'],
		['✕ Connection reset', 'fault: resetAfter'],
		['✕ 503', 'fault: http'],
		['✓ 201'],
	];
	for (const shown of texts) await row(page, ...shown).waitFor();
	await page.setViewportSize({ width: 1200, height: 700 });
	const picture = await takePicture(page, 'page', 'sandbox');
	if (UPDATES_IMAGES) await putIntoDocs(picture);
});

onPage('shows the bodies of a request on click and by keyboard, without secrets', async ({ page, sandbox }) => {
	await new DocumentedClient(sandbox).addCustomer({ vatNumber: '1', name: '<i>Rossi</i>', apiKey: 'not for others' });
	await rows(page).nth(1).waitFor();
	await page.locator('summary', { hasText: '/v1/customers/add' }).click();
	const shown = JSON.stringify({ vatNumber: '1', name: '<i>Rossi</i>', apiKey: '[hidden]' });
	expect(await rows(page).first().getByLabel('Request body').textContent()).toBe(shown);
	await page.locator('summary', { hasText: '/auth/api-key/login' }).press('Enter');
	await rows(page).last().getByText('clientId=demo-client&clientSecret=[hidden]').waitFor();
	await rows(page).last().getByText('"access_token":"[hidden]"').waitFor();
	expect(await violations(page)).toEqual([]);
});

onPage('shows whatever a customer is called as text', async ({ page, sandbox }) => {
	await connected(page);
	const scripts = await page.locator('script').count();
	const hostile = '<script>window.hacked = 1</script><img src="x" onerror="window.hacked = 1">';
	const client = new DocumentedClient(sandbox);
	await client.addCustomer({ vatNumber: hostile, [hostile]: hostile });
	await client.setPremium({ idTrunk: 1001, iso: 'IT', premium_available: hostile });
	sandbox.setFaults([{ fault: 'http', status: 400, path: '/v9', message: hostile }]);
	await client.call('GET', `/${encodeURIComponent(hostile)}`);
	const card = page.locator('#customer-rows li');
	await card.getByText(hostile, { exact: true }).waitFor();
	await page.locator('#fault-rows').getByText(JSON.stringify(hostile).slice(1, 20)).waitFor();
	expect(await card.innerText()).toContain(`${hostile}: ${hostile}`);
	expect(await page.locator('#trunk-1001').innerText()).toContain(`premium_available: ${hostile}`);
	const counts = [await page.locator('script').count(), await page.locator('main img').count()];
	expect([...counts, await page.evaluate('window.hacked')]).toEqual([scripts, 0, undefined]);
});

onPage('a fault is turned on for the next request of an operation, and off', async ({ page, sandbox }) => {
	await connected(page);
	await page.getByLabel('Fault', { exact: true }).selectOption('http');
	await page.locator('#fault-value').fill('500');
	await page.getByLabel('Frequency').selectOption('the next request only');
	await page.getByLabel('Operations').selectOption('Customer: Create');
	await page.getByRole('button', { name: 'Turn on' }).click();
	await page.locator('#fault-rows').getByText('injected into 0 of 0 requests').waitFor();
	expect(sandbox.getFaults().rules).toEqual([{ fault: 'http', status: 500, path: '/v1/customers', count: 1 }]);
	await page.getByRole('button', { name: 'Turn off all faults' }).click();
	await page.locator('#fault-rows li').waitFor({ state: 'detached' });
	expect(sandbox.getFaults().rules).toEqual([]);
});

onPage(
	'edits a gateway as JSON with all its fields, says what is wrong with it, adds one, and removes it',
	async ({ page, sandbox }) => {
		const gateway = {
			id: '70',
			name: '<b>New</b>',
			type: 'carrier',
			organizationId: 30,
			terminationUri: null,
			note: 1,
		};
		const texts = ['{ "id": " " }', JSON.stringify(gateway)];
		const questions: string[] = [];
		page.on('dialog', (dialog) => {
			questions.push(dialog.message());
			void dialog.accept(texts.shift());
		});
		await page.getByRole('button', { name: 'Edit gateway 12' }).click();
		const row = page.locator('#gateway-rows tr').filter({ hasText: '<b>New</b>' });
		await row.waitFor();
		expect(questions).toEqual([expect.stringContaining('With another ID'), expect.stringContaining('id: Must not be')]);
		expect(sandbox.getRecordsAndCounters().gateways.at(-1)).toEqual(gateway);
		await page.getByRole('button', { name: 'Remove gateway 70' }).click();
		await page.getByText('Gateway 70 removed.').waitFor();
		expect(sandbox.getRecordsAndCounters().gateways.map(({ id }) => id)).not.toContain('70');
	},
	{ mayComplain: true },
);

onPage(
	'says that it is disconnected when the sandbox ends, and comes back by itself',
	async ({ page, sandbox }) => {
		sandbox.setFaults([{ fault: 'refused', ms: 1, path: '/v1' }]);
		await new DocumentedClient(sandbox).addCustomer({ vatNumber: 'IT12345678903' });
		// The fault is for later connections: this request was processed, and got its response.
		await row(page, '✓ 201 fault: refused').waitFor();
		await sandbox.close();
		await page.getByText('Disconnected: the sandbox does not respond').waitFor();
		expect(await violations(page)).toEqual([]);
		expect(await page.getByRole('button', { name: 'Turn on' }).isDisabled()).toBe(true);
		expect(await page.getByRole('button', { name: 'Reset' }).isDisabled()).toBe(true);
		await takePicture(page, 'page', 'disconnected');
		const again = await startSandbox({ port: sandbox.port });
		try {
			await connected(page);
			await page.getByText('No customers yet').waitFor();
			expect(await page.getByRole('button', { name: 'Turn on' }).isDisabled()).toBe(false);
		} finally {
			await again.close();
		}
	},
	{ mayComplain: true },
);

for (const colorScheme of ['light', 'dark'] as const) {
	onPage(
		`has no violation that axe-core finds, contrast included, in the ${colorScheme} color scheme`,
		async ({ page, sandbox }) => {
			await connected(page);
			expect(await violations(page)).toEqual([]);
			await fill(sandbox);
			await row(page, '503').waitFor();
			await page.getByRole('button', { name: 'Turn off all faults' }).click();
			await page.getByText('All faults are off.').waitFor();
			await takePicture(page, 'page', colorScheme, { fullPage: true });
			expect(await violations(page)).toEqual([]);
		},
		{ colorScheme },
	);
}
