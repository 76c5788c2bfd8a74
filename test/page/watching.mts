import { mkdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

import type { BrowserContext, Locator, Page } from 'playwright-core';

import { type Sandbox, startSandbox } from '../../sandbox';
import { CACHE } from '../../scripts/bootstrap/paths.mjs';
import { launchChromium } from '../support/browser/chromium.mts';

/** What a scenario works with: a sandbox of its own, and its page, open in Chromium. */
interface Watching {
	sandbox: Sandbox;
	page: Page;
}

interface Options {
	/** Path of the page; `/` unless told. */
	at?: string;
	colorScheme?: 'light' | 'dark';
	/** Where the sandbox ends, or rejects a request: the browser logs that as an error. */
	mayComplain?: true;
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const PROFILES = path.join(CACHE, 'e2e', 'page');
const SHOWN_WITHIN_MS = 20_000;

let launched = 0;

/**
 * Opens a page of a new sandbox, lets the scenario work, and closes both. Expects that the browser complains of nothing:
 * errors of scripts, what the Content-Security-Policy stopped, requests to other hosts.
 */
async function watching(work: (watching: Watching) => Promise<void>, options: Options = {}): Promise<void> {
	const { at = '/', colorScheme = 'light', mayComplain } = options;
	const sandbox = await startSandbox();
	let browser: BrowserContext | undefined;
	try {
		const profile = path.join(PROFILES, String(launched++));
		await rm(profile, { recursive: true, force: true });
		await mkdir(profile, { recursive: true });
		browser = await launchChromium(profile, { colorScheme, viewport: { width: 1280, height: 900 } });
		browser.setDefaultTimeout(SHOWN_WITHIN_MS);
		const page = await browser.newPage();
		const complaints: string[] = [];
		page.on('pageerror', (error) => complaints.push(error.message));
		page.on('console', (message) => {
			if (message.type() === 'error') complaints.push(message.text());
		});
		page.on('request', (request) => {
			const { origin, protocol } = new URL(request.url());
			if (origin !== sandbox.url && protocol !== 'data:') complaints.push(`A request to ${request.url()}`);
		});
		await page.goto(sandbox.url + at);
		await work({ sandbox, page });
		if (!mayComplain) expect(complaints).toEqual([]);
	} finally {
		await browser?.close();
		await sandbox.close();
	}
}

/** A test of the page. */
export function onPage(title: string, work: (watching: Watching) => Promise<void>, options?: Options): void {
	it(title, async () => await watching(work, options));
}

/** The rows of the log of requests. */
export const rows = (page: Page): Locator => page.locator('#request-rows li');

interface Violation {
	id: string;
	nodes: Array<{ target: string[]; any: Array<{ message: string }> }>;
}

/** What axe-core objects to on a page, a line for each element. */
export async function violations(page: Page): Promise<string[]> {
	// by the debugger's way, which the page's own Content-Security-Policy does not stop
	await page.evaluate(await readFile(AXE, 'utf8'));
	const { violations: found } = await page.evaluate<{ violations: Violation[] }>('axe.run()');
	return found.flatMap(({ id, nodes }) => nodes.map(({ target, any }) => `${id}: ${target.join(' ')}: ${any[0]?.message ?? ''}`));
}
