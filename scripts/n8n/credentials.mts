import { readFile } from 'node:fs/promises';
import { type Client, DEMO_CLIENT, READ_ONLY_CLIENT } from '../../sandbox/store/seed.ts';

/**
 * The credentials of the example workflows. The ids are fixed, so that each start replaces these credentials and no others. The
 * keys are public: they open only a sandbox, which listens on this machine only. @param url of the sandbox
 */
export function createCredentials(url: string) {
	const serviceFields = { environment: 'production', baseUrl: url, stagingUrl: url, allowUnauthorizedCerts: false };
	const createCredential = (id: string, name: string, { clientId, clientSecret }: Client) => ({
		...{ id, name, type: 'voiceAdminApi' },
		data: { ...serviceFields, clientId, clientSecret, authHeaderName: 'Authorization', authHeaderPrefix: 'Bearer' },
	});
	return [
		createCredential('voiceAdminSandboxReader', 'Voice Admin sandbox (read-only)', READ_ONLY_CLIENT),
		createCredential('voiceAdminSandbox', 'Voice Admin sandbox', DEMO_CLIENT),
	] as const;
}

/** An access token of the sandbox: a JSON Web Token. */
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/;

/** Describes the secrets in a text. n8n must never print any. */
export function findSecrets(text: string): string[] {
	const owners = createCredentials('').filter(({ data }) => text.includes(data.clientSecret));
	return [...owners.map(({ name }) => `the API key of "${name}"`), ...(TOKEN.test(text) ? ['an access token'] : [])];
}

/** The same for the log of a process, which is complete once the process has ended. */
export const findSecretsInLog = async ({ log }: { log: string }): Promise<string[]> =>
	findSecrets(await readFile(log, 'utf8'));
