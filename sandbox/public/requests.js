import { byId, counted, element, renderList, setText, wrappable } from './dom.js';
import { call } from './sandbox.js';
/** @import { LoggedRequest, RequestDetail, Snapshot } from './types' */

/** What is shown in place of a status. */
const NO_STATUS = { reset: 'Connection reset', aborted: 'Aborted by the client' };
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 });

const list = byId('request-rows');
const filterText = byId('filter-text', HTMLInputElement);
const errorsOnly = byId('errors-only', HTMLInputElement);
/** @type {LoggedRequest[]} in the order of the rows: the latest first */
let shown = [];
for (const input of [filterText, errorsOnly]) input.addEventListener('input', applyFilter);

/** Whether the client did not get what it asked for. A fault may spoil a response whose status is good. @param {LoggedRequest} request */
const hasFailed = ({ status, fault }) => typeof status !== 'number' || status >= 300 || (fault !== undefined && fault !== 'latency');

/** @param {Snapshot} snapshot */
export function renderRequests({ requests, counters: { requests: count, logins, inFlight } }) {
	shown = requests.toReversed();
	byId('no-requests').hidden = count > 0;
	byId('request-list').hidden = count === 0;
	const parts = [counted(count, 'request'), counted(logins, 'login'), inFlight > 0 && `${inFlight} in flight`, count > shown.length + inFlight && `latest ${shown.length} shown`];
	setText('request-count', count === 0 ? 'None yet' : parts.filter(Boolean).join(' · '));
	renderList(list, shown, row);
	applyFilter();
}

/** Hides the rows that do not match, and says how many do. */
function applyFilter() {
	const words = filterText.value.toLowerCase().split(/\s+/);
	const matching = shown.filter((request) => (!errorsOnly.checked || hasFailed(request)) && words.every((word) => `${request.method} ${request.path}`.toLowerCase().includes(word)));
	shown.forEach((request, index) => list.children[index]?.toggleAttribute('hidden', !matching.includes(request)));
	setText('filter-result', errorsOnly.checked || filterText.value.trim() !== '' ? `${matching.length} of ${shown.length} match` : '');
}

/** @param {LoggedRequest} request */
function row(request) {
	const { id, time, method, path, status, milliseconds, fault } = request;
	const failed = hasFailed(request);
	const bodies = element('div', { class: 'bodies' });
	let isLoaded = false;
	const details = element('details', {},
		element('summary', {},
			element('time', { datetime: time }, timeFormat.format(new Date(time))), ' ', element('span', { class: 'method' }, method), ' ', wrappable(path), ' ',
			element('span', { class: 'status' },
				element('span', { class: 'mark', 'aria-hidden': 'true' }, failed ? '✕ ' : '✓ '),
				typeof status === 'number' ? String(status) : NO_STATUS[status],
				fault !== undefined && element('span', { class: 'fault' }, ` fault: ${fault}`)),
			element('span', { class: 'number' }, milliseconds.toFixed(1))), bodies);
	details.addEventListener('toggle', async () => {
		if (!details.open || isLoaded) return;
		const { error, reply } = await call('GET', `requests/${id}`);
		isLoaded = error === undefined;
		bodies.replaceChildren(...(error === undefined ? bodiesOf(reply) : [error]));
	});
	return element('li', { class: failed ? 'failed' : 'done' }, details);
}

/** @param {RequestDetail} detail */
function bodiesOf({ requestBody, responseBody }) {
	/** @type {(title: string, text?: string) => HTMLElement} */
	const block = (title, text) => element('div', {},
		element('h3', {}, title),
		text ? element('pre', { tabindex: '0', role: 'group', 'aria-label': title }, pretty(text)) : element('p', { class: 'absent' }, 'None'));
	return [block('Request body', requestBody), block('Response body', responseBody)];
}

/** Indents JSON, where that changes nothing else: a number of many digits would lose some. @param {string} text */
function pretty(text) {
	try {
		const indented = JSON.stringify(JSON.parse(text), null, 2);
		return indented.replace(/\s/g, '') === text.replace(/\s/g, '') ? indented : text;
	} catch {
		return text;
	}
}
