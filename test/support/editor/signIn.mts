import type { Page } from 'playwright-core';

import { OWNER } from '../../../scripts/n8n/accounts.mjs';

/**
 * Signs in by n8n's form; all pages of the same browser are signed in then.
 * @returns the mark that n8n has left in the browser
 */
export async function signIn(page: Page, url: string): Promise<string> {
	await page.goto(`${url}/signin`);
	await page.locator('input[autocomplete=email]').fill(OWNER.email);
	await page.locator('input[type=password]').fill(OWNER.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL('**/home/workflows');
	return await page.evaluate<string>("localStorage.getItem('n8n-browserId')");
}
