import { copyFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';

import type { Locator, Page, PageScreenshotOptions } from 'playwright-core';

import { N8N_VERSIONS } from '../../../scripts/install/n8nVersions.mts';
import { CACHE, fromRoot, ROOT } from '../../../scripts/bootstrap/paths.mjs';
import { n8n } from '../n8n.mts';

/** A part of the page, in its pixels. */
export type Clip = NonNullable<PageScreenshotOptions['clip']>;

/** scale: `css` for a picture so large that it need not be sharper than the page. */
type PictureOptions = Pick<PageScreenshotOptions, 'clip' | 'scale'>;

const FOLDER = path.join(CACHE, 'e2e', 'screenshots', n8n.version);
const SHOWN_IN_README = path.join(ROOT, 'docs', 'images');

/** README shows the editor as it is now: the newest n8n. */
const isOfReadme = n8n.version === N8N_VERSIONS.at(-1)?.version;

/** Messages that come and go by themselves, over whatever is below them. */
const WITHOUT_MESSAGES = '.el-notification { display: none !important; }';

/** Removes the pictures of the run before: what is there afterwards is this run's. */
export async function clearScreenshots(): Promise<void> {
	await rm(FOLDER, { recursive: true, force: true });
}

/**
 * Leaves a picture in `.cache`.
 * @returns its path from the clone
 */
export async function screenshot(of: Page | Locator, name: string, options: PictureOptions = {}): Promise<string> {
	await mkdir(FOLDER, { recursive: true });
	const file = path.join(FOLDER, `${name}.png`);
	await of.screenshot({ path: file, animations: 'disabled', caret: 'hide', style: WITHOUT_MESSAGES, ...options });
	return fromRoot(file);
}

/** Leaves a picture that README shows; with UPDATE_IMAGES in the environment it is put there. */
export async function readmeScreenshot(of: Page | Locator, name: string, options?: PictureOptions): Promise<void> {
	const file = path.join(ROOT, await screenshot(of, name, options));
	if (!isOfReadme || !process.env.UPDATE_IMAGES) return;
	await mkdir(SHOWN_IN_README, { recursive: true });
	await copyFile(file, path.join(SHOWN_IN_README, `${name}.png`));
}
