import type { BrowserContext, Page } from 'playwright-core';

import { type Sandbox, startSandbox } from '../../../sandbox';
import { credentials } from '../../../scripts/n8n/credentials.mts';
import { importInto } from '../../../scripts/n8n/cli.mts';
import { serveEditor } from '../../../scripts/n8n/server.mts';
import { stopProcesses } from '../../../scripts/bootstrap/processes.mjs';
import { anyFreePort } from '../../../scripts/lib/ports.mts';
import { n8n } from '../n8n.mts';
import { startChromium } from './chromium.mts';
import { clearScreenshots, screenshot } from './screenshots.mts';
import { signIn } from './signIn.mts';

/** What a scenario works with: a page of its own in the editor, and the service behind the node. */
export interface Desk {
	page: Page;
	/** Of n8n, without a slash at its end. */
	url: string;
	/** The mark that n8n has left in the browser: it takes the session only together with it. */
	browserId: string;
	sandbox: Sandbox;
}

/** Registers a test that works in the editor. */
export type Scenario = (name: string, work: (desk: Desk) => Promise<void>) => void;

const READY_WITHIN_MS = 180_000;

/**
 * Starts, once for all scenarios, a sandbox, an n8n that has the credentials of the examples, and Chromium,
 * signed in by n8n's form. Each scenario finds the sandbox's data as it was at first.
 */
export function inEditor(): Scenario {
	let sandbox: Sandbox | undefined;
	let browser: BrowserContext | undefined;
	let url: string;
	let browserId: string;

	beforeAll(async () => {
		await clearScreenshots();
		sandbox = await startSandbox();
		await importInto(n8n, { credentials: credentials(sandbox.url) });
		const server = await serveEditor(n8n, { port: await anyFreePort(), log: `n8n-browser-${n8n.version}` });
		url = server.url;
		browser = await startChromium();
		const page = await browser.newPage();
		await withEvidence(page, sandbox, 'sign in', async () => {
			browserId = await signIn(page, url, server.owner);
		});
		await page.close();
	}, READY_WITHIN_MS);

	afterAll(async () => {
		await browser?.close();
		await stopProcesses();
		await sandbox?.close();
	});

	return (name, work) => {
		test(name, async () => {
			if (!sandbox || !browser) throw new Error('The editor did not start; the failure of the first test says why');
			const page = await browser.newPage();
			// n8n asks whether to leave a workflow with changes that are not saved.
			page.on('dialog', (dialog) => void dialog.accept().catch(() => {}));
			sandbox.reset();
			const desk = { page, url, browserId, sandbox };
			try {
				await withEvidence(page, sandbox, expect.getState().currentTestName ?? name, () => work(desk));
			} finally {
				await page.close();
			}
		});
	};
}

/** Adds to a failure what its reader would look for next: the page as it was, and what was asked of the service. */
async function withEvidence(page: Page, sandbox: Sandbox, name: string, work: () => Promise<void>): Promise<void> {
	try {
		await work();
	} catch (error) {
		const picture = await screenshot(page, `failed-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`).catch(() => 'none could be taken');
		const requests = sandbox.requests().map(({ method, path, status, fault }) => `  ${method} ${path} ${status}${fault ? ` (fault: ${fault})` : ''}`);
		const failure = error as Error;
		const evidence = `\n\nPicture of the editor: ${picture}\nAddress: ${page.url()}\nRequests to the sandbox: ${requests.length}\n${requests.join('\n')}`;
		// Jest shows the stack, which has a message of its own.
		failure.stack = failure.stack?.replace(failure.message, failure.message + evidence);
		failure.message += evidence;
		throw failure;
	}
}
