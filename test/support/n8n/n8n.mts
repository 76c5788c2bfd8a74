import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { type Sandbox, startSandbox } from '../../../sandbox';
import type { N8n } from '../../../scripts/n8n/home.mts';

/** What npm run e2e has prepared, in an environment variable. */
export function given<T>(name: string): T {
	const value = process.env[name];
	if (value === undefined) throw new Error('These tests run in an n8n that a command prepares for them: npm run e2e -- -t "name of a test"');
	return JSON.parse(value) as T;
}

/** The n8n that npm run e2e has installed and put the package into. */
export const n8n = given<N8n>('VOICE_ADMIN_N8N');

/**
 * A sandbox at an address that no other test of this n8n has had: n8n keeps the token of an address as long as it runs,
 * and files of tests run side by side.
 */
export async function startOwnSandbox(): Promise<Sandbox> {
	const taken = path.join(n8n.home, 'ports');
	await mkdir(taken, { recursive: true });
	for (;;) {
		const sandbox = await startSandbox();
		try {
			await writeFile(path.join(taken, String(sandbox.port)), '', { flag: 'wx' });
			return sandbox;
		} catch (error) {
			await sandbox.close();
			if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
		}
	}
}
