import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { findChromium } from '../../../scripts/servers/programs.mts';

const SWITCHES = [
	'--disable-gpu',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--no-first-run',
];

/** Chromium refuses to run as root with its sandbox, and containers are where root runs it. */
const isRoot = process.getuid?.() === 0;

/**
 * Starts Chromium. It is driven through a pipe: when this process dies, Chromium reads its end there and ends too.
 * @param profile folder of its own, which Chromium fills
 */
export async function launchChromium(profile: string, options: BrowserContextOptions): Promise<BrowserContext> {
	return await chromium.launchPersistentContext(profile, {
		executablePath: findChromium(),
		args: SWITCHES,
		chromiumSandbox: !isRoot,
		locale: 'en-US',
		// It puts a socket there, and its path has at most 107 characters: in the clone, it may have more.
		env: { ...process.env, TMPDIR: '/tmp' },
		...options,
	});
}
