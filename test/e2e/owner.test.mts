import { rm } from 'node:fs/promises';

import { N8N_VERSIONS } from '../../scripts/install/n8nVersions.mts';
import { serveEditor, signIn } from '../../scripts/n8n/server.mts';
import { anyFreePort } from '../../scripts/servers/ports.mts';
import { n8n } from '../support/n8n/n8n.mts';

const own = { ...n8n, home: `${n8n.home}-owner` };

/** Starts an n8n with a home of its own, and signs in. @returns its owner's password */
async function signInOnce(): Promise<string> {
	const server = await serveEditor(own, { port: await anyFreePort(), log: `n8n-owner-${n8n.version}` });
	await signIn(server);
	const other = await signIn({ ...server, owner: { ...server.owner, password: 'another' } }).catch((error: Error) => error.message);
	await server.stop();
	expect(other).toContain('POST /login with 401');
	return server.owner.password;
}

beforeAll(async () => await rm(own.home, { recursive: true, force: true }));
afterAll(async () => await rm(own.home, { recursive: true, force: true }));

// The scripts' own work, the same with each n8n: tried with one, which starts twice for it.
(n8n.version === N8N_VERSIONS[0].version ? test : test.skip)('an n8n that the scripts start has a password of its own, and keeps it', async () => {
	const password = await signInOnce();
	expect(password).toMatch(/^A1-.{20}$/);
	expect(await signInOnce()).toBe(password);
});
