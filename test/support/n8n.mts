import type { N8n } from '../../scripts/n8n/home.mts';

/** The n8n that npm run e2e has installed and put the package into. */
export const n8n = given();

function given(): N8n {
	const n8n = process.env.VOICE_ADMIN_N8N;
	if (n8n === undefined) throw new Error('These tests run in an n8n that npm run e2e prepares for them: npm run e2e -- -t "name of a test"');
	return JSON.parse(n8n) as N8n;
}
