import { Failure } from '../setup/failure.mjs';
import { OWNER } from './accounts.mjs';

/**
 * Makes the demo account the owner of a fresh n8n. n8n answers on /healthz/readiness a little before its REST
 * routes are there, so this also is the last part of waiting for it.
 * @param {string} url of n8n
 * @returns {Promise<boolean>} false as long as n8n's REST routes do not answer
 */
export async function ensureOwner(url) {
	const settings = await json(fetch(`${url}/rest/settings`));
	if (!settings?.data?.userManagement) return false;
	if (!settings.data.userManagement.showSetupOnFirstLoad) return true;
	const response = await fetch(`${url}/rest/owner/setup`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(OWNER),
	});
	const reply = await json(response);
	if (reply === undefined) return false;
	if (!response.ok) throw new Failure(`n8n did not accept the demo account: ${reply.message ?? response.status}`);
	return true;
}

async function json(response) {
	try {
		return await (await response).json();
	} catch {
		return undefined;
	}
}
