import { startN8n } from './n8n-command.mjs';
import { ensureOwner } from './owner.mjs';
import { TOUR_ID } from './tour-nodes.mjs';
import { answers, waitUntil } from './waiting.mjs';

const READY_WITHIN_MS = 120_000;

/**
 * Starts n8n's server and waits until its editor can be used.
 * @param {Awaited<ReturnType<typeof import('../setup/runtime.mjs').ensureRuntime>>} runtime
 * @param {{ port: number }} options
 */
export async function serveEditor(runtime, { port }) {
	const n8n = await startN8n(runtime, { port });
	const url = `http://localhost:${port}`;
	// Asked by address: `localhost` may first be tried as ::1, where n8n does not listen.
	const local = `http://127.0.0.1:${port}`;
	await waitUntil(async () => (await answers(`${local}/healthz/readiness`)) && (await ensureOwner(local)), {
		what: 'n8n',
		process: n8n,
		withinMs: READY_WITHIN_MS,
	});
	return { ...n8n, url: `${url}/workflow/${TOUR_ID}` };
}
