import { answers, waitUntil } from '../setup/waiting.mjs';
import { startN8n } from './command.mjs';
import { ensureOwner } from './owner.mjs';

const READY_WITHIN_MS = 120_000;

/**
 * Starts n8n's server and waits until its editor can be used.
 * @param {import('./home.mjs').N8n} n8n
 * @param {{ port: number, log?: string, settings?: Record<string, string> }} options log: the log's name;
 *   settings: environment variables of this process alone
 * @returns {Promise<Awaited<ReturnType<typeof startN8n>> & { url: string }>} url: of the editor, without a slash at its end
 */
export async function serveEditor(n8n, { port, log = 'n8n', settings }) {
	const server = await startN8n(n8n, ['start'], { log, settings: { ...settings, N8N_PORT: String(port) } });
	// Asked by address: `localhost` may first be tried as ::1, where n8n does not listen.
	const local = `http://127.0.0.1:${port}`;
	await waitUntil(async () => (await answers(`${local}/healthz/readiness`)) && (await ensureOwner(local)), {
		what: 'n8n',
		process: server,
		withinMs: READY_WITHIN_MS,
	});
	return { ...server, url: `http://localhost:${port}` };
}
