import path from 'node:path';

import { type BrowserContext, chromium, selectors } from 'playwright-core';

import { findChromium } from '../../../scripts/e2e/chromium.mjs';
import { n8n } from '../n8n.mts';

// n8n spells it like this.
selectors.setTestIdAttribute('data-test-id');

/** Wide enough for n8n's panels beside each other, and sharp enough for pictures in a page of documentation. */
const SCREEN = { viewport: { width: 1500, height: 900 }, deviceScaleFactor: 1.5 };

const SWITCHES = ['--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

/** Chromium refuses to run as root with its sandbox, and containers are where root runs it. */
const isRoot = process.getuid?.() === 0;

/** The time in which n8n shows what a click asks for, on a machine that is busy. */
const SHOWN_WITHIN_MS = 20_000;

/**
 * Starts Chromium with a profile inside n8n's home, which each run makes anew. It is driven through a pipe:
 * when this process dies, Chromium reads its end there and ends too.
 */
export async function startChromium(): Promise<BrowserContext> {
	const context = await chromium.launchPersistentContext(path.join(n8n.home, 'chromium'), {
		executablePath: findChromium(),
		args: SWITCHES,
		chromiumSandbox: !isRoot,
		colorScheme: 'light',
		locale: 'en-US',
		...SCREEN,
	});
	context.setDefaultTimeout(SHOWN_WITHIN_MS);
	return context;
}
