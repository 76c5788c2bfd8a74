import { byId, formatCount, element, withClass, renderList, setText, wrappable } from './dom.js';
import { call } from './sandbox.js';
/** @import { Snapshot } from './dom.js' */
/** @typedef {Snapshot['requests'][number]} LoggedRequest */

const NO_STATUS = { reset: 'Connection reset', aborted: 'Aborted by the client' };
/** @type {Intl.DateTimeFormatOptions} */
const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 };

const list = byId('request-rows');
const filterText = byId('filter-text', HTMLInputElement);
const errorsOnly = byId('errors-only', HTMLInputElement);
/** @type {LoggedRequest[]} in the order of the rows, latest first */
let latestFirst = [];
for (const input of [filterText, errorsOnly]) input.addEventListener('input', applyFilter);

/** Whether a request failed. A fault may break a response that has status 200. @param {LoggedRequest} request */
const hasFailed = ({ status, fault }) =>
	typeof status !== 'number' || status >= 300 || (fault !== undefined && fault !== 'latency');

/** @param {Snapshot} snapshot */
export function renderRequests({ requests, counters: { requests: count, logins, inFlight } }) {
	latestFirst = requests.toReversed();
	byId('no-requests').hidden = count > 0;
	byId('request-list').hidden = count === 0;
	const parts = [formatCount(count, 'request'), formatCount(logins, 'login')];
	if (inFlight > 0) parts.push(`${inFlight} in flight`);
	if (count > latestFirst.length + inFlight) parts.push(`latest ${latestFirst.length} shown`);
	setText('request-count', count === 0 ? 'None yet' : parts.join(' · '));
	renderList(list, latestFirst, row);
	applyFilter();
}

/** Hides the rows that don't match, and shows how many do. */
function applyFilter() {
	const words = filterText.value.toLowerCase().split(/\s+/);
	let matching = 0;
	for (const [index, request] of latestFirst.entries()) {
		const text = `${request.method} ${request.path}`.toLowerCase();
		const matches = (!errorsOnly.checked || hasFailed(request)) && words.every((word) => text.includes(word));
		list.children[index]?.toggleAttribute('hidden', !matches);
		if (matches) matching += 1;
	}
	setText(
		'filter-result',
		errorsOnly.checked || filterText.value.trim() !== '' ? `${matching} of ${latestFirst.length} match` : '',
	);
}

/** @param {LoggedRequest} request */
function row(request) {
	const { id, time, method, path, status, milliseconds, fault } = request;
	const failed = hasFailed(request);
	const bodies = withClass('div', 'bodies');
	const mark = element('span', { 'aria-hidden': 'true' }, failed ? '✕ ' : '✓ ');
	const result = typeof status === 'number' ? String(status) : NO_STATUS[status];
	const details = element(
		'details',
		{},
		element(
			'summary',
			{},
			element('time', { datetime: time }, new Date(time).toLocaleTimeString('en-GB', TIME)),
			' ',
			withClass('span', 'method', method),
			' ',
			wrappable(path),
			' ',
			withClass('span', 'status', mark, result, fault !== undefined && withClass('span', 'fault', ` fault: ${fault}`)),
			withClass('span', 'number', milliseconds.toFixed(1)),
		),
		bodies,
	);
	details.addEventListener('toggle', async () => {
		if (!details.open || bodies.querySelector('h3')) return;
		const { error, reply } = await call('GET', `requests/${id}`);
		if (error !== undefined) return bodies.replaceChildren(error);
		bodies.replaceChildren(...block('Request body', reply.requestBody), ...block('Response body', reply.responseBody));
	});
	return withClass('li', failed ? 'failed' : 'done', details);
}

/** A body under its title. @type {(title: string, text?: string) => HTMLElement[]} */
const block = (title, text) => [
	element('h3', {}, title),
	text
		? element('pre', { tabindex: '0', role: 'group', 'aria-label': title }, pretty(text))
		: withClass('p', 'absent', 'None'),
];

/** Indents JSON, unless parsing changes it: a long number would lose digits. @param {string} text */
function pretty(text) {
	try {
		const indented = JSON.stringify(JSON.parse(text), null, 2);
		return indented.replace(/\s/g, '') === text.replace(/\s/g, '') ? indented : text;
	} catch {
		return text;
	}
}
