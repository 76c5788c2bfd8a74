import { getById, setText } from './dom.js';

const POLL_MS = 500;
const DISCONNECTED =
	'Disconnected: the sandbox does not respond. This page reconnects when you start the sandbox again (npm start, or npm run sandbox)';

/** Polls the sandbox, and renders its state whenever it has changed. @param {(snapshot: import('./dom.js').Snapshot) => void} render */
export async function connect(render) {
	let lastText = '';
	for (;;) {
		const response = await fetch('/_sandbox/snapshot').catch(() => undefined);
		const text = response?.ok ? await response.text().catch(() => '') : '';
		if (text !== '' && text !== lastText) render(JSON.parse(text));
		lastText = text;
		showConnection(text !== '');
		await new Promise((resolve) => setTimeout(resolve, POLL_MS));
	}
}

/** @param {boolean} isConnected */
function showConnection(isConnected) {
	getById('connection').dataset.connected = String(isConnected);
	setText('connection', isConnected ? 'Connected' : DISCONNECTED);
	for (const control of document.querySelectorAll('.needs-sandbox')) control.toggleAttribute('disabled', !isConnected);
}

/**
 * Calls a path below `/_sandbox/`; a body that is a string is sent as it is, anything else as JSON.
 * Returns the response's JSON, or an error message.
 * @type {(method: string, path: string, body?: unknown) => Promise<{ reply?: any, error?: string }>}
 */
export async function callSandbox(method, path, body) {
	try {
		const response = await fetch(`/_sandbox/${path}`, {
			method,
			body: typeof body === 'string' ? body : JSON.stringify(body),
		});
		const reply = await response.json().catch(() => ({}));
		if (response.ok) return { reply };
		const { message = `The sandbox returned ${response.status}`, errors = [] } = reply;
		const details = [errors].flat().map((detail) => (detail.field ? `${detail.field}: ${detail.message}` : detail));
		return { error: [message, ...details].join(': ') };
	} catch {
		return { error: 'The sandbox does not respond' };
	}
}

/**
 * Calls a control path, and shows a message or the error.
 * @type {(successMessage: string, ...request: Parameters<typeof callSandbox>) => Promise<void>}
 */
export async function callAndReport(successMessage, ...request) {
	const { error } = await callSandbox(...request);
	showMessage(error === undefined ? successMessage : `Not done: ${error}`);
}

/** Shows a message, to screen readers too. @param {string} text */
export const showMessage = (text) => setText('message', text);
