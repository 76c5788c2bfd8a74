import { getById, formatCount, create, createWithClass, renderList, setText } from './dom.js';
import { callSandbox } from './sandbox.js';
/** @import { Snapshot } from './dom.js' */

const NO_STATUS = { reset: 'Connection reset', aborted: 'Aborted by the client' };

/** @param {Snapshot} snapshot */
export function renderRequests({ requests, counters: { requests: count, logins, inFlight } }) {
	getById('no-requests').hidden = count > 0;
	const parts = [formatCount(count, 'request'), formatCount(logins, 'login')];
	if (inFlight > 0) parts.push(`${inFlight} in flight`);
	if (count > requests.length + inFlight) parts.push(`latest ${requests.length} shown`);
	setText('request-count', count === 0 ? '' : parts.join(' · '));
	renderList(getById('request-rows'), requests.toReversed(), createRow);
}

/** @param {Snapshot['requests'][number]} request */
function createRow({ id, time, method, path, status, milliseconds, fault }) {
	// A fault may break a response that has status 200; "refused" only affects later connections.
	const isFailure = typeof status !== 'number' || status >= 300 || (fault !== undefined && fault !== 'refused');
	const faultNote = fault === undefined ? '' : ` fault: ${fault}`;
	const bodies = createWithClass('div', 'bodies');
	const result = typeof status === 'number' ? String(status) : NO_STATUS[status];
	const details = create(
		'details',
		{},
		create(
			'summary',
			{},
			create('time', { datetime: time }, new Date(time).toLocaleTimeString('en-GB')),
			` ${method} `,
			create('code', {}, path),
			createWithClass('span', 'status', ` ${isFailure ? '✕' : '✓'} ${result}${faultNote}`),
			createWithClass('span', 'detail', ` ${milliseconds.toFixed(1)} ms`),
		),
		bodies,
	);
	details.addEventListener('toggle', async () => {
		if (!details.open || bodies.childElementCount > 0) return;
		const { error, reply } = await callSandbox('GET', `requests/${id}`);
		if (error !== undefined) return bodies.replaceChildren(error);
		const { requestBody, responseBody } = reply;
		bodies.replaceChildren(...createBody('Request body', requestBody), ...createBody('Response body', responseBody));
	});
	return createWithClass('li', isFailure ? 'failed' : 'done', details);
}

/** A body under its title. @type {(title: string, text: string) => HTMLElement[]} */
const createBody = (title, text) => [
	create('h3', {}, title),
	create('pre', { tabindex: '0', role: 'group', 'aria-label': title }, text || 'None'),
];
