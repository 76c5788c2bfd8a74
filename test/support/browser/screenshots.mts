import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Locator, Page, PageScreenshotOptions } from 'playwright-core';
import { N8N_VERSIONS } from '../../../scripts/install/n8nVersions.mts';
import { ROOT } from '../../../scripts/bootstrap/paths.mjs';
import { n8n } from '../n8n/n8n.mts';
import { putIntoDocs, SCREENSHOTS, takePicture, UPDATES_IMAGES } from './pictures.mts';

/** A part of the page, in its pixels. */
export type Clip = NonNullable<PageScreenshotOptions['clip']>;

/** scale: `css` for a picture so large that it need not be sharper than the page. */
type PictureOptions = Pick<PageScreenshotOptions, 'clip' | 'scale'>;

/** README shows the editor as it is now: the newest n8n. */
const updatesReadme = UPDATES_IMAGES && n8n.version === N8N_VERSIONS.at(-1)?.version;

/** Themes of a scenario that README shows in both: the dark one adds a picture, and nothing to test. */
export const THEMES = [
	{ theme: 'light', suffix: '' } as const,
	...(updatesReadme ? [{ theme: 'dark', suffix: '-dark' } as const] : []),
];

/** Messages that come and go by themselves, over whatever is below them; and n8n's buttons at the lower edge of a canvas. */
const WITHOUT_WHAT_COVERS =
	'.el-notification, .vue-flow__controls, [class*=_executionButtons_] { display: none !important; }';

/** Removes the pictures of the run before: what is there afterwards is this run's. */
export async function clearScreenshots(): Promise<void> {
	await rm(path.join(SCREENSHOTS, n8n.version), { recursive: true, force: true });
}

/** Leaves a picture in `.cache`. @returns its path from the clone */
export async function screenshot(of: Page | Locator, name: string, options: PictureOptions = {}): Promise<string> {
	return await takePicture(of, n8n.version, name, { style: WITHOUT_WHAT_COVERS, ...options });
}

/** Leaves a picture that README shows; with UPDATE_IMAGES in the environment it is put there. */
export async function readmeScreenshot(of: Page | Locator, name: string, options?: PictureOptions): Promise<void> {
	// Until n8n's buttons aren't busy any more.
	if (updatesReadme) await sleep(1_000);
	const taken = await screenshot(of, name, options);
	if (updatesReadme) await putIntoDocs(taken);
}

const STRIP = `
	body { margin: 0; font: 600 15px system-ui, sans-serif; }
	main { display: inline-flex; gap: 20px; padding: 4px; }
	figure { margin: 0; }
	figcaption { margin-bottom: 8px; }
	img { display: block; border: 1px solid #8884; border-radius: 6px; }`;

/** A picture of a step, by its path from the clone. */
export interface Still {
	caption: string;
	picture: string;
}

/** Puts pictures of steps beside each other, numbered, as one that README shows. */
export async function readmeStrip(
	context: BrowserContext,
	name: string,
	theme: 'light' | 'dark',
	stills: Still[],
): Promise<void> {
	const figures = await Promise.all(
		stills.map(async ({ caption, picture }, index) => {
			const data = await readFile(path.join(ROOT, picture), 'base64');
			return `<figure><figcaption>${index + 1}. ${caption}</figcaption><img src="data:image/png;base64,${data}"></figure>`;
		}),
	);
	const page = await context.newPage();
	const colors = theme === 'dark' ? '#0d1117; color: #f0f6fc' : '#fff; color: #1f2328';
	const own = `body { background: ${colors} } img { zoom: calc(1 / ${await page.evaluate('devicePixelRatio')}) }`;
	await page.setContent(`<style>${STRIP} ${own}</style><main>${figures.join('')}</main>`);
	await readmeScreenshot(page.locator('main'), name);
	await page.close();
}
