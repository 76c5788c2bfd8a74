import { answers, waitUntil } from '../setup/waiting.mjs';
import { n8nCommand, startN8n } from './command.mjs';
import { hasOwner, ownerOf, setUpOwner } from './owner.mjs';

const READY_WITHIN_MS = 120_000;

/**
 * Starts n8n's server and waits until its editor can be used.
 * @param {import('./home.mjs').N8n} n8n
 * @param {{ port: number, log?: string, settings?: Record<string, string> }} options log: the log's name;
 *   settings: environment variables of this process alone
 * @returns {Promise<Awaited<ReturnType<typeof startN8n>> & { url: string, owner: import('./owner.mjs').Owner }>}
 *   url: of the editor, without a slash at its end; owner: who can sign in
 */
export async function serveEditor(n8n, options) {
	// Asked by address: `localhost` may first be tried as ::1, where n8n does not listen.
	const local = `http://127.0.0.1:${options.port}`;
	let server = await start(n8n, local, options);
	if (!ownerOf(n8n) && (await hasOwner(local))) {
		// Its password is not known: earlier versions of this project gave all the same one.
		server.signal('SIGTERM');
		await server.ended;
		await n8nCommand(n8n, ['user-management:reset']);
		server = await start(n8n, local, options);
	}
	if (!(await hasOwner(local))) await setUpOwner(n8n, local);
	return { ...server, url: `http://localhost:${options.port}`, owner: ownerOf(n8n) };
}

async function start(n8n, local, { port, log = 'n8n', settings }) {
	const server = await startN8n(n8n, ['start'], { log, settings: { ...settings, N8N_PORT: String(port) } });
	const isReady = async () => (await answers(`${local}/healthz/readiness`)) && (await hasOwner(local)) !== undefined;
	await waitUntil(isReady, { what: 'n8n', process: server, withinMs: READY_WITHIN_MS });
	return server;
}
