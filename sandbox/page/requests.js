import { byId, cell, counted, element } from './element.js';

/** Rows of the page at most; the sandbox itself keeps more. */
const MOST_ROWS = 200;

const STATUS_NAMES = {
	200: 'OK', 201: 'Created', 204: 'No Content', 301: 'Moved', 302: 'Found', 303: 'See Other', 307: 'Temporary Redirect', 308: 'Permanent Redirect',
	400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found', 405: 'Method Not Allowed', 413: 'Payload Too Large', 415: 'Unsupported Media Type', 429: 'Too Many Requests',
	500: 'Internal Server Error', 502: 'Bad Gateway', 503: 'Service Unavailable', 504: 'Gateway Timeout', 507: 'Insufficient Storage',
	reset: 'Connection reset', aborted: 'Ended by the caller',
};
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 });

/** Whether the caller did not get what it asked for. A fault may spoil a reply whose status is good. */
export function hasFailed({ status, fault }) {
	return typeof status !== 'number' || status >= 300 || (fault !== undefined && fault !== 'latency');
}

/** Shows the requests, the latest first, in place of those that are shown. */
export function showRequests(requests) {
	byId('request-rows').replaceChildren(...rowsOf(requests));
}

/** Adds requests on top. */
export function addRequests(requests) {
	const rows = byId('request-rows');
	rows.prepend(...rowsOf(requests));
	while (rows.childElementCount > MOST_ROWS) rows.lastElementChild.remove();
}

/** @param {{ requests: number, logins: number, inFlight: number, peakInFlight: number }} counters */
export function showCounters({ requests, logins, inFlight }) {
	const isEmpty = requests === 0;
	byId('no-requests').hidden = !isEmpty;
	byId('request-scroll').hidden = isEmpty;
	byId('request-count').textContent = isEmpty
		? 'None yet'
		: [counted(requests, 'request'), `of these ${counted(logins, 'login')}`, inFlight > 0 && `${inFlight} under way`, requests > MOST_ROWS && `the latest ${MOST_ROWS} are shown`].filter(Boolean).join(', ');
}

function rowsOf(requests) {
	return requests.slice(-MOST_ROWS).reverse().map(rowOf);
}

function rowOf(request) {
	const { time: arrived, method, path, status, milliseconds, fault } = request;
	const failed = hasFailed(request);
	const name = STATUS_NAMES[status];
	return element('tr', { role: 'row', class: failed ? 'failed' : undefined },
		cell({ class: 'time' }, element('time', { datetime: arrived }, time.format(new Date(arrived)))),
		cell({ class: 'method' }, method),
		cell({ class: 'path' }, path),
		cell({ class: 'status' },
			element('span', { class: 'mark', 'aria-hidden': 'true' }, failed ? '✕' : '✓'),
			` ${typeof status === 'number' ? `${status} ` : ''}${name ?? ''}`.trimEnd(),
			fault === undefined ? undefined : element('span', { class: 'fault' }, `fault: ${fault}`)),
		cell({ class: 'number' }, milliseconds.toFixed(1), element('span', { class: 'unit' }, ' ms')),
	);
}
