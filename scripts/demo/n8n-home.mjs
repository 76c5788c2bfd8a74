import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runEnvironment, withNodeFirst } from '../setup/environment.mjs';
import { DEMO } from '../setup/paths.mjs';
import { anyFreePort } from '../setup/ports.mjs';

/** Variables by which an n8n can be configured; those of the user's own n8n are not for this one. */
const N8N_VARIABLES = /^(N8N_|DB_|QUEUE_|EXECUTIONS_|CREDENTIALS_|WORKFLOWS_|WEBHOOK_|NODES_|NODE_FUNCTION_|GENERIC_|LICENSE|NODE_OPTIONS$|NODE_PATH$)/;

/** What a demo on one's own machine has no use for, or would ask the internet for. */
const QUIET = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_PYTHON_ENABLED: 'false',
	N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '4',
	// The session cookie would otherwise want https.
	N8N_SECURE_COOKIE: 'false',
};

/**
 * Where one version of n8n keeps its data. A newer n8n changes the database for good, so no two share one.
 * @param {string} version
 */
export const n8nHome = (version) => path.join(DEMO, `n8n-${version}`);

/**
 * The environment of a demo n8n. Each process needs a call of its own: it carries a port for its task runners.
 * @param {{ version: string, node: { bin: string } }} runtime
 * @param {{ port: number }} options
 */
export async function n8nEnvironment({ version, node }, { port }) {
	const own = Object.entries(runEnvironment()).filter(([name]) => !N8N_VARIABLES.test(name));
	const proxyExceptions = ['127.0.0.1', 'localhost', process.env.NO_PROXY ?? process.env.no_proxy].filter(Boolean).join(',');
	return {
		...withNodeFirst(Object.fromEntries(own), node),
		...QUIET,
		NODE_ENV: 'production',
		NO_PROXY: proxyExceptions,
		no_proxy: proxyExceptions,
		N8N_USER_FOLDER: n8nHome(version),
		N8N_ENCRYPTION_KEY: encryptionKey(),
		N8N_HOST: 'localhost',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(await anyFreePort()),
	};
}

/** One key for all demo databases of this clone, made on first use. */
function encryptionKey() {
	const file = path.join(DEMO, 'encryption-key');
	try {
		return readFileSync(file, 'utf8');
	} catch {
		const key = randomBytes(24).toString('base64url');
		mkdirSync(DEMO, { recursive: true });
		writeFileSync(file, key, { mode: 0o600 });
		return key;
	}
}
