import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import type { Page } from 'playwright-core';

interface Violation {
	id: string;
	nodes: Array<{ target: string[]; any: Array<{ message: string }> }>;
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe-core objects to on a page, a line for each element. */
export async function violations(page: Page): Promise<string[]> {
	// by the debugger's way, which the page's own Content-Security-Policy does not stop
	await page.evaluate(await readFile(AXE, 'utf8'));
	const { violations: found } = await page.evaluate<{ violations: Violation[] }>('axe.run()');
	return found.flatMap(({ id, nodes }) => nodes.map(({ target, any }) => `${id}: ${target.join(' ')}: ${any[0]?.message ?? ''}`));
}
