import { requireFreePort } from '../setup/ports.mjs';

/**
 * Refuses a run whose ports are taken. A single run of the tour opens no editor.
 * @param {{ once: boolean, port: number, sandboxPort: number }} options
 */
export async function requirePorts({ once, port, sandboxPort }) {
	await requireFreePort(sandboxPort, { purpose: 'the sandbox', command: 'npm start', option: '--sandbox-port' });
	if (!once) await requireFreePort(port, { purpose: "n8n's editor", command: 'npm start', option: '--port' });
}
