import { rm } from 'node:fs/promises';
import path from 'node:path';

import { N8N_VERSIONS } from '../../scripts/install/n8nVersions.mts';
import { serveEditor, signIn } from '../../scripts/n8n/server.mts';
import { anyFreePort } from '../../scripts/lib/ports.mts';
import { n8n } from '../support/n8n/n8n.mts';

const own = { ...n8n, home: `${n8n.home}-owner` };

/** Starts an n8n with a home of its own, and tries to sign in. @returns its owner's password, and what came of it */
async function signInTo(password?: string): Promise<{ password: string; isAccepted: boolean }> {
	const { url, owner, stop } = await serveEditor(own, { port: await anyFreePort(), log: `n8n-owner-${n8n.version}` });
	const isAccepted = await signIn({ url, owner: { ...owner, password: password ?? owner.password } }).then(
		() => true,
		(error: Error) => {
			expect(error.message).toContain('POST /login with 401');
			return false;
		},
	);
	await stop();
	return { password: owner.password, isAccepted };
}

beforeAll(async () => await rm(own.home, { recursive: true, force: true }));
afterAll(async () => await rm(own.home, { recursive: true, force: true }));

// The scripts' own work, the same with each n8n: tried with one, which starts three times for it.
(n8n.version === N8N_VERSIONS[0].version ? test : test.skip)('an n8n that the scripts start has a password of its own; one whose password is not known gets a new one', async () => {
	const first = await signInTo();
	expect(first.isAccepted).toBe(true);
	await rm(path.join(own.home, 'owner.json'));
	const second = await signInTo(first.password);
	expect(second).toEqual({ password: expect.not.stringMatching(first.password), isAccepted: false });
	expect(await signInTo()).toEqual({ password: second.password, isAccepted: true });
});
