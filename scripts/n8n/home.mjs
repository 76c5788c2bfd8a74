import path from 'node:path';
import { runEnvironment, withNodeFirst } from '../setup/environment.mjs';
import { anyFreePort } from '../setup/ports.mjs';

/** Variables by which an n8n can be configured; those of the user's own n8n are not for this one. */
const N8N_VARIABLES = /^(N8N_|DB_|QUEUE_|EXECUTIONS_|CREDENTIALS_|WORKFLOWS_|WEBHOOK_|NODES_|NODE_FUNCTION_|GENERIC_|OFFLOAD_|LICENSE|NODE_OPTIONS$|NODE_PATH$)/;

/** What an n8n on one's own machine has no use for, or would ask the internet for. */
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
 * An installed n8n with a place for its data. A newer n8n changes the database for good, so no two versions
 * may share a home.
 * @typedef {Awaited<ReturnType<typeof import('../setup/runtime.mjs').ensureRuntime>> & { home: string, settings: Record<string, string> }} N8n
 *   home: the folder that n8n takes for the user's; settings: further environment variables of n8n
 *
 * @param {Awaited<ReturnType<typeof import('../setup/runtime.mjs').ensureRuntime>>} installed
 * @param {string} home
 * @param {Record<string, string>} [settings] such as the queue mode's
 * @returns {N8n}
 */
export function n8nAt(installed, home, settings = {}) {
	return { ...installed, home, settings };
}

/** Where an n8n keeps its community packages. */
export const nodesFolder = ({ home }) => path.join(home, '.n8n', 'nodes');

/**
 * The environment of one process of an n8n. Each process needs a call of its own: it carries a port for its
 * task runners.
 * @param {N8n} n8n
 */
export async function n8nEnvironment({ node, home, settings }) {
	const own = Object.entries(runEnvironment()).filter(([name]) => !N8N_VARIABLES.test(name));
	const proxyExceptions = ['127.0.0.1', 'localhost', process.env.NO_PROXY ?? process.env.no_proxy].filter(Boolean).join(',');
	return {
		...withNodeFirst(Object.fromEntries(own), node),
		...QUIET,
		NODE_ENV: 'production',
		NO_PROXY: proxyExceptions,
		no_proxy: proxyExceptions,
		N8N_USER_FOLDER: home,
		N8N_HOST: 'localhost',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(await anyFreePort()),
		...settings,
	};
}
