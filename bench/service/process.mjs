import { fileURLToPath } from 'node:url';
import { runEnvironment } from '../../scripts/setup/environment.mjs';
import { ROOT } from '../../scripts/setup/paths.mjs';
import { startLogged } from '../../scripts/setup/run-logged.mjs';
import { waitUntil } from '../../scripts/setup/waiting.mjs';

const READY_WITHIN_MS = 10_000;

/**
 * What the service counted. requests: without logins; good: replies of success, without logins; limited: 429;
 * different: requests with a good reply, the same ones counted once.
 * @typedef {{ requests: number, logins: number, good: number, limited: number, peakInFlight: number, sockets: number,
 *   different: number }} Counters
 * @typedef {{ latency: number, perSecond: number }} Conditions latency: ms; perSecond: requests that pass, 0 for no limit
 */

/**
 * Starts the service that all are measured against.
 * @param {string} node the Node to run it with
 * @returns {Promise<{ url: string, token: string, begin: (conditions: Conditions) => Promise<void>, counters: () => Promise<Counters> }>}
 *   token: an access token that it takes; begin: sets the conditions and counts from zero
 */
export async function startService(node) {
	const server = startLogged(node, [fileURLToPath(new URL('./server.mjs', import.meta.url))], { log: 'bench-service', cwd: ROOT, env: runEnvironment() });
	const { url, control } = await waitUntil(() => firstLine(server.output()), { what: 'The service to measure against', process: server, withinMs: READY_WITHIN_MS });
	const login = await fetch(`${url}/auth/api-key/login`, { method: 'POST' });
	return {
		url,
		token: (await login.json()).access_token,
		begin: async (conditions) => void (await fetch(control, { method: 'PUT', body: JSON.stringify(conditions) })),
		counters: async () => await (await fetch(control)).json(),
	};
}

function firstLine(output) {
	return output.includes('\n') ? JSON.parse(output.slice(0, output.indexOf('\n'))) : undefined;
}
