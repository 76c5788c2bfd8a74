import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page, PageScreenshotOptions } from 'playwright-core';
import { CACHE, formatPath, ROOT } from '../../../scripts/bootstrap/paths.mjs';

export const SCREENSHOTS = path.join(CACHE, 'e2e', 'screenshots');

/** Whether the pictures of the documents are renewed. */
export const UPDATES_IMAGES = Boolean(process.env.UPDATE_IMAGES);

/**
 * Leaves a picture in a folder of SCREENSHOTS.
 * @returns its path from the clone
 */
export async function takePicture(
	of: Page | Locator,
	folder: string,
	name: string,
	options: PageScreenshotOptions = {},
): Promise<string> {
	const file = path.join(SCREENSHOTS, folder, `${name}.png`);
	await of.screenshot({ path: file, animations: 'disabled', caret: 'hide', ...options });
	return formatPath(file);
}

/** Puts a picture where the documents show it. @param taken its path from the clone */
export async function putIntoDocs(taken: string): Promise<void> {
	await copyFile(path.join(ROOT, taken), path.join(ROOT, 'docs', 'images', path.basename(taken)));
}
