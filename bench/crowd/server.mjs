import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { nodesFolder } from '../../scripts/n8n/home.mjs';
import { importInto } from '../../scripts/n8n/import.mjs';
import { serveEditor } from '../../scripts/n8n/server.mjs';
import { anyFreePort } from '../../scripts/setup/ports.mjs';

/**
 * An n8n with a home of its own, as on a machine of its own, that has the same packages.
 * @param {import('../../scripts/n8n/home.mjs').N8n} n8n
 * @param {string} home
 * @param {Record<string, string>} [settings]
 */
export async function n8nOf(n8n, home, settings = {}) {
	const own = { ...n8n, home, settings };
	await mkdir(path.dirname(nodesFolder(own)), { recursive: true });
	await symlink(nodesFolder(n8n), nodesFolder(own), 'junction');
	return own;
}

/**
 * Starts an n8n server.
 * @param {import('../../scripts/n8n/home.mjs').N8n} n8n one that has nothing but its packages
 * @param {Record<string, object[]>} content workflows and credentials, for importInto
 * @returns {Promise<{ url: string, owner: import('../../scripts/n8n/owner.mjs').Owner, stop: () => Promise<void> }>}
 */
export async function startServer(n8n, content) {
	await importInto(n8n, content);
	const port = await anyFreePort();
	const server = await serveEditor(n8n, { port, log: `bench-${path.basename(n8n.home)}` });
	return { url: `http://127.0.0.1:${port}`, owner: server.owner, stop: () => end(server) };
}

/** Asks a process to end, and waits until it has. */
export async function end({ signal, ended }) {
	signal('SIGTERM');
	await ended;
}
