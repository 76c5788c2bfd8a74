import { byId } from './element.js';

const EVENTS = '/_sandbox/events';
/** After which the stream is asked for again, where the browser has given up to do so by itself. */
const ASK_AGAIN_MS = 3000;

/**
 * Listens to the sandbox for as long as the page is open, and says on the page whether it can be heard.
 * @param {{ snapshot: (data: object) => void, change: (data: object) => void }} told
 */
export function connect(told) {
	const source = new EventSource(EVENTS);
	source.addEventListener('snapshot', ({ data }) => {
		show(true);
		told.snapshot(JSON.parse(data));
	});
	source.addEventListener('change', ({ data }) => told.change(JSON.parse(data)));
	source.addEventListener('error', () => {
		show(false);
		// It asks again by itself after a broken connection, but not after an answer that is no stream.
		if (source.readyState === EventSource.CLOSED) setTimeout(connect, ASK_AGAIN_MS, told);
	});
}

function show(isConnected) {
	const text = isConnected
		? 'Connected'
		: 'Disconnected: the sandbox does not answer. This page comes back by itself when it is started again (npm start, or npm run sandbox)';
	const line = byId('connection');
	line.dataset.connected = String(isConnected);
	// the same text again would be read out again
	if (line.textContent !== text) line.textContent = text;
	for (const control of document.querySelectorAll('button.needs-sandbox, .needs-sandbox select, .needs-sandbox input')) control.disabled = !isConnected;
}

/**
 * Asks something of the sandbox.
 * @param {string} method
 * @param {string} path below `/_sandbox/`
 * @param {unknown} [body] sent as JSON
 * @throws {Error} that says why it was not done
 */
export async function ask(method, path, body) {
	let response;
	try {
		response = await fetch(`/_sandbox/${path}`, { method, ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }) });
	} catch {
		throw new Error('Not done: the sandbox does not answer');
	}
	if (response.ok) return;
	const { message = `the sandbox answered ${response.status}`, errors } = await response.json().catch(() => ({}));
	throw new Error(`Not done: ${message}${typeof errors === 'string' ? `: ${errors}` : ''}`);
}
