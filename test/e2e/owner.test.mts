import { rm } from 'node:fs/promises';
import path from 'node:path';

import { serveEditor } from '../../scripts/n8n/server.mjs';
import { anyFreePort } from '../../scripts/setup/ports.mjs';
import { n8n } from '../support/n8n.mts';

const own = { ...n8n, home: `${n8n.home}-owner` };

/** Starts an n8n with a home of its own, and tries to sign in. */
async function signIn(password?: string): Promise<{ password: string; status: number }> {
	const { url, owner, signal, ended } = await serveEditor(own, { port: await anyFreePort(), log: 'n8n-owner' });
	const { status } = await fetch(`${url}/rest/login`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ emailOrLdapLoginId: owner.email, password: password ?? owner.password }),
	});
	signal('SIGTERM');
	await ended;
	return { password: owner.password, status };
}

beforeAll(async () => await rm(own.home, { recursive: true, force: true }));
afterAll(async () => await rm(own.home, { recursive: true, force: true }));

test('an n8n that the scripts start has a password of its own; one whose password is not known gets a new one', async () => {
	const first = await signIn();
	expect(first.status).toBe(200);
	await rm(path.join(own.home, 'owner.json'));
	const second = await signIn(first.password);
	expect(second).toEqual({ password: expect.not.stringMatching(first.password), status: 401 });
	expect(await signIn()).toEqual({ password: second.password, status: 200 });
});
