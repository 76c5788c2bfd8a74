import path from 'node:path';
import { type BrowserContext, type Page, selectors } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { createCredentials, findSecretsInLog } from '../../../scripts/n8n/credentials.mts';
import { importInto } from '../../../scripts/n8n/cli.mts';
import { type Rest, startServer, type Server, signIn } from '../../../scripts/n8n/server.mts';
import { stopProcesses } from '../../../scripts/bootstrap/processes.mjs';
import { findFreePort } from '../../../scripts/servers/ports.mts';
import { linesOf, n8n, withEvidence } from '../n8n/n8n.mts';
import { STEP_WITHIN_MS } from '../until';
import { launchChromium } from './chromium.mts';
import { clearScreenshots, screenshot } from './screenshots.mts';

/** What a scenario works with: a page of the editor, and the service behind the node. */
export interface EditorFixture {
	page: Page;
	/** Of n8n, without a slash at its end. */
	url: string;
	/** Its REST API. */
	rest: Rest;
	sandbox: Sandbox;
}

/** Registers a test that works in the editor. */
export type Scenario = (name: string, work: (editor: EditorFixture) => Promise<void>) => void;

/** Wide enough for n8n's panels beside each other, and sharp enough for pictures in a page of documentation. */
const SCREEN = { viewport: { width: 1500, height: 900 }, deviceScaleFactor: 1.5 };

// n8n spells it like this.
selectors.setTestIdAttribute('data-test-id');

/**
 * Starts, once for all scenarios, a sandbox, an n8n that has the credentials of the examples, and Chromium,
 * signed in by n8n's form. Each scenario finds the sandbox's data as it was at first, and the page that the one before
 * has left; after a failure, a new one.
 */
export function inEditor(): Scenario {
	let sandbox: Sandbox | undefined;
	let browser: BrowserContext | undefined;
	let server: Server | undefined;
	let rest: Rest;
	let page: Page | undefined;

	beforeAll(async () => {
		await clearScreenshots();
		sandbox = await startSandbox();
		await importInto(n8n, { credentials: createCredentials(sandbox.url) });
		const { url, owner } = (server = await startServer(n8n, {
			port: await findFreePort(),
			log: `n8n-browser-${n8n.version}`,
		}));
		rest = await signIn(server);
		browser = await launchChromium(path.join(n8n.home, 'chromium'), { colorScheme: 'light', ...SCREEN });
		browser.setDefaultTimeout(STEP_WITHIN_MS);
		page = await newPage(browser);
		await page.goto(`${url}/signin`);
		await page.locator('input[autocomplete=email]').fill(owner.email);
		await page.locator('input[type=password]').fill(owner.password);
		await page.getByRole('button', { name: 'Sign in' }).click();
		await page.waitForURL('**/home/workflows');
	});

	afterAll(async () => {
		await browser?.close();
		await stopProcesses();
		await sandbox?.close();
		if (!server) return;
		await server.exit;
		expect(await findSecretsInLog(server)).toEqual([]);
	});

	return (name, work) => {
		test(name, async () => {
			if (!sandbox || !server || !browser)
				throw new Error('The editor did not start; the failure of the first test says why');
			sandbox.reset();
			page ??= await newPage(browser);
			await page.emulateMedia({ colorScheme: 'light' });
			await page.setViewportSize(SCREEN.viewport);
			const editor = { page, url: server.url, rest, sandbox };
			try {
				await withEvidence(
					() => work(editor),
					async () => await evidence(editor, name),
				);
			} catch (error) {
				await page.close();
				page = undefined;
				throw error;
			}
		});
	};
}

/**
 * A page that leaves a workflow whose changes are not saved, of which the browser asks or n8n, and that reads what n8n
 * says of a publication.
 */
async function newPage(browser: BrowserContext): Promise<Page> {
	const page = await browser.newPage();
	page.on('dialog', (dialog) => void dialog.accept().catch(() => {}));
	for (const name of ['Leave without saving', 'Got it']) {
		const button = page.getByRole('button', { name });
		await page.addLocatorHandler(button, async () => await button.click());
	}
	return page;
}

/** What the reader of a failure would look for next: the page as it was, and what was asked of the service. */
async function evidence({ page, sandbox }: EditorFixture, name: string): Promise<string> {
	const picture = await screenshot(page, `failed-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`).catch(
		() => 'none could be taken',
	);
	return `Picture of the editor: ${picture}\nAddress: ${page.url()}\n${linesOf(sandbox.getRequests())}`;
}
