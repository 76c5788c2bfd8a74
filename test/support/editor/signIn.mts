import type { Page } from 'playwright-core';

import type { Owner } from '../../../scripts/n8n/server.mts';

/**
 * Signs in by n8n's form; all pages of the same browser are signed in then.
 * @returns the mark that n8n has left in the browser
 */
export async function signIn(page: Page, url: string, owner: Owner): Promise<string> {
	await page.goto(`${url}/signin`);
	await page.locator('input[autocomplete=email]').fill(owner.email);
	await page.locator('input[type=password]').fill(owner.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL('**/home/workflows');
	return await page.evaluate<string>("localStorage.getItem('n8n-browserId')");
}
