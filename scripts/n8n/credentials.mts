import { readFile } from 'node:fs/promises';
import { type Client, DEMO_CLIENT, READ_ONLY_CLIENT } from '../../sandbox/store/seed.ts';

/**
 * The credentials that the example workflows use. Fixed ids, so that each start replaces its own and no other; fixed
 * and public keys, which open a sandbox that listens on this machine only.
 */
export function credentials(sandboxUrl: string) {
	const service = { environment: 'production', baseUrl: sandboxUrl, stagingUrl: sandboxUrl, allowUnauthorizedCerts: false };
	const credential = (id: string, name: string, { clientId, clientSecret }: Client) => ({
		...{ id, name, type: 'voiceAdminApi' },
		data: { ...service, clientId, clientSecret, authHeaderName: 'Authorization', authHeaderPrefix: 'Bearer' },
	});
	return [
		credential('voiceAdminSandboxReader', 'Voice Admin sandbox (read-only)', READ_ONLY_CLIENT),
		credential('voiceAdminSandbox', 'Voice Admin sandbox', DEMO_CLIENT),
	] as const;
}

/** An access token as the sandbox issues it: a JSON Web Token. */
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/;

/** The secrets that stand in a text, by what they are: neither may ever be in what n8n prints. */
export function secretsIn(text: string): string[] {
	const keys = credentials('').filter(({ data }) => text.includes(data.clientSecret));
	return [...keys.map(({ name }) => `the API key of "${name}"`), ...(TOKEN.test(text) ? ['an access token'] : [])];
}

/** The same in the log of a process, which is whole when that has ended. */
export const secretsInLog = async ({ log }: { log: string }): Promise<string[]> => secretsIn(await readFile(log, 'utf8'));
