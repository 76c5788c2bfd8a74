import { mkdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

import type { Locator, Page } from 'playwright-core';

import { type Sandbox, startSandbox } from '../../sandbox';
import { CACHE } from '../../scripts/bootstrap/paths.mjs';
import { DocumentedClient, type Response, type Sent } from '../sandbox/documentedClient';
import { launchChromium } from '../support/browser/chromium.mts';

interface Options {
	colorScheme?: 'light' | 'dark';
	/** Where the sandbox ends, or rejects a request: the browser logs that as an error. */
	mayComplain?: true;
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const PROFILES = path.join(CACHE, 'e2e', 'page');
const SHOWN_WITHIN_MS = 20_000;

let launched = 0;

/**
 * A test of the page, open in Chromium, of a sandbox of its own. Expects that the browser complains of nothing: errors of
 * scripts, what the Content-Security-Policy stopped, requests to other hosts.
 */
export function onPage(title: string, work: (watching: { sandbox: Sandbox; page: Page }) => Promise<void>, options: Options = {}): void {
	const { colorScheme = 'light', mayComplain } = options;
	it(title, async () => {
		const sandbox = await startSandbox();
		const profile = path.join(PROFILES, String(launched++));
		await rm(profile, { recursive: true, force: true });
		await mkdir(profile, { recursive: true });
		const browser = await launchChromium(profile, { colorScheme, viewport: { width: 1280, height: 900 } });
		try {
			browser.setDefaultTimeout(SHOWN_WITHIN_MS);
			const page = await browser.newPage();
			const complaints: string[] = [];
			page.on('pageerror', (error) => complaints.push(error.message));
			page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
			page.on('request', (request) => {
				const { origin, protocol } = new URL(request.url());
				if (origin !== sandbox.url && protocol !== 'data:') complaints.push(`A request to ${request.url()}`);
			});
			await page.goto(sandbox.url);
			await work({ sandbox, page });
			if (!mayComplain) expect(complaints).toEqual([]);
		} finally {
			await browser.close();
			await sandbox.close();
		}
	});
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

/** A client that sends what a scenario wants sent, and takes whatever comes: the connection may break. */
export class Caller extends DocumentedClient {
	override async call(method: string, path: string, sent?: Sent): Promise<Response> {
		return await this.callFreely(method, path, sent).catch((error: unknown) => error as Response);
	}

	/** Something of everything that the page shows. */
	async everything(sandbox: Sandbox): Promise<void> {
		await this.setPremium({ idTrunk: 1001, iso: 'IT' });
		await this.setPremium({ idTrunk: 1004, iso: 'FR', organizationId: 10, sbcId: 2, premium_available: 'yes' });
		await this.setPremium({ idTrunk: 1500, iso: 'DE' });
		await this.addCustomer({ vatNumber: 'IT12345678903', companyName: 'Rossi Telefonia Srl', city: 'Milano' });
		await this.gateway('1');
		await this.gateway('99');
		sandbox.setFaults({ rules: [{ fault: 'resetAfter', path: '/v1/customers', count: 1 }, { fault: 'http503', path: '/v1/voip/dss/gtw' }] });
		await this.addCustomer({ vatNumber: 'IT00743110157', companyName: 'Verdi S.p.A.' });
		await this.gateway('3');
	}
}
