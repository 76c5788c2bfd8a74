import path from 'node:path';

import { type BrowserContext, selectors } from 'playwright-core';

import { launchChromium } from '../chromium.mts';
import { n8n } from '../n8n.mts';

// n8n spells it like this.
selectors.setTestIdAttribute('data-test-id');

/** Wide enough for n8n's panels beside each other, and sharp enough for pictures in a page of documentation. */
export const SCREEN = { viewport: { width: 1500, height: 900 }, deviceScaleFactor: 1.5 };

/** The time in which n8n shows what a click asks for, on a machine that is busy. */
const SHOWN_WITHIN_MS = 20_000;

/** Starts Chromium with a profile inside n8n's home, a new one for each run. */
export async function startChromium(): Promise<BrowserContext> {
	const context = await launchChromium(path.join(n8n.home, 'chromium'), { colorScheme: 'light', ...SCREEN });
	context.setDefaultTimeout(SHOWN_WITHIN_MS);
	return context;
}
