import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';

import type { Page, PageScreenshotOptions } from 'playwright-core';

import { CACHE, ROOT } from '../../scripts/bootstrap/paths.mjs';

const FOLDER = path.join(CACHE, 'e2e', 'screenshots', 'page');

/** Leaves a picture in `.cache`, to be looked at. @returns its path */
export async function picture(page: Page, name: string, options: PageScreenshotOptions = {}): Promise<string> {
	await mkdir(FOLDER, { recursive: true });
	const file = path.join(FOLDER, `${name}.png`);
	await page.screenshot({ path: file, animations: 'disabled', caret: 'hide', ...options });
	return file;
}

/** Leaves a picture that README shows; with UPDATE_IMAGES in the environment it is put there. */
export async function readmePicture(page: Page, name: string, options?: PageScreenshotOptions): Promise<void> {
	const file = await picture(page, name, options);
	if (process.env.UPDATE_IMAGES) await copyFile(file, path.join(ROOT, 'docs', 'images', `${name}.png`));
}
