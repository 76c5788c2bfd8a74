import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../setup/failure.mjs';

/** An account of n8n. @typedef {{ email: string, password: string, firstName: string, lastName: string }} Owner */

const fileIn = ({ home }) => path.join(home, 'owner.json');

/**
 * The account that {@link setUpOwner} made.
 * @param {import('./home.mjs').N8n} n8n
 * @returns {Owner | undefined} undefined for none
 */
export function ownerOf(n8n) {
	try {
		return JSON.parse(readFileSync(fileIn(n8n), 'utf8'));
	} catch (error) {
		if (error.code === 'ENOENT') return undefined;
		throw error;
	}
}

/**
 * Makes an account the owner of a fresh n8n, with a password that nobody else knows: n8n listens on this machine only,
 * but a page in a browser may reach it by a host name of its own, and an owner may install packages.
 * @param {import('./home.mjs').N8n} n8n
 * @param {string} url at which it answers
 */
export async function setUpOwner(n8n, url) {
	const owner = {
		email: 'demo@voice-admin.example',
		// By n8n's rules with a digit and a capital.
		password: `A1-${randomBytes(15).toString('base64url')}`,
		firstName: 'Voice Admin',
		lastName: 'Demo',
	};
	const response = await fetch(`${url}/rest/owner/setup`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(owner) });
	if (!response.ok) throw new Failure(`n8n did not accept the demo account: ${(await response.text()).slice(0, 300)}`);
	writeFileSync(fileIn(n8n), JSON.stringify(owner), { mode: 0o600 });
}

/**
 * Whether an n8n has an owner already.
 * @param {string} url at which it answers
 * @returns {Promise<boolean | undefined>} undefined as long as n8n's REST routes do not answer, a little after /healthz/readiness
 */
export async function hasOwner(url) {
	try {
		const { data } = await (await fetch(`${url}/rest/settings`)).json();
		return data?.userManagement && !data.userManagement.showSetupOnFirstLoad;
	} catch {
		return undefined;
	}
}
