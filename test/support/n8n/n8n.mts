import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox';
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
 * A name for what these tests keep in servers that hold other things. It has a mark of this clone, so that two that share
 * a database do not take each other's tables away.
 */
export function nameInServers(purpose: string): string {
	const clone = createHash('sha256').update(n8n.home).digest('hex').slice(0, 8);
	return `n8n_voice_admin_${purpose}_${n8n.version.replaceAll('.', '_')}_${clone}`;
}

/**
 * A sandbox at an address that no other test of this n8n has had: n8n keeps the token of an address as long as it runs,
 * and files of tests run side by side.
 */
export async function startOwnSandbox(options?: SandboxOptions): Promise<Sandbox> {
	const taken = path.join(n8n.home, 'ports');
	await mkdir(taken, { recursive: true });
	for (;;) {
		const sandbox = await startSandbox(options);
		try {
			await writeFile(path.join(taken, String(sandbox.port)), '', { flag: 'wx' });
			return sandbox;
		} catch (error) {
			await sandbox.close();
			if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
		}
	}
}
