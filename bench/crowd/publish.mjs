import { Failure } from '../../scripts/setup/failure.mjs';

/** The mark of a browser: n8n takes a session only together with it. */
const HEADERS = { 'content-type': 'application/json', 'browser-id': 'n8n-voice-admin-bench' };

/**
 * Publishes workflows in a server that runs; n8n's command for it takes some seconds for each.
 * @param {{ url: string, owner: import('../../scripts/n8n/owner.mjs').Owner }} server
 * @param {string[]} ids
 */
export async function publish({ url, owner }, ids) {
	const login = await send(`${url}/rest/login`, { headers: HEADERS }, { emailOrLdapLoginId: owner.email, password: owner.password });
	const cookie = login.headers.getSetCookie().map((text) => text.split(';')[0]).join('; ');
	const session = { headers: { ...HEADERS, cookie } };
	for (const id of ids) {
		const { data } = await (await send(`${url}/rest/workflows/${id}`, session)).json();
		await send(`${url}/rest/workflows/${id}/activate`, session, { versionId: data.versionId });
	}
}

async function send(url, session, body) {
	const reply = await fetch(url, body ? { ...session, method: 'POST', body: JSON.stringify(body) } : session);
	if (!reply.ok) throw new Failure(`n8n answered ${new URL(url).pathname} with ${reply.status}: ${(await reply.text()).slice(0, 300)}`);
	return reply;
}
